package io.tollgrid.client;

import io.tollgrid.admission.account.AccountRegistry;
import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.lease.LeaseDoorbell;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The accounts an instance meters, each with its one lease manager (R36).
 *
 * <p>Accounts may be looked up and opened by any thread; everything else is for the instance's.
 */
final class Membership {
  /*
   * An account has one manager for as long as the process lives, so two can never own its leases. A manager that nobody
   * needs lingers, then brings its leases home and holds nothing: no timer, no lease. If its account is needed again, it
   * takes up work where it is; what is still on its way home arrives meanwhile, since a manager has one command under way.
   *
   * An account is needed while a snapshot in force names it, or for good if the service opened it by itself.
   */
  private static final class Member {
    final ManagedAccount account;
    final LeaseManager manager;

    /** Opened by the service, and not because a snapshot names it. */
    volatile boolean pinned;

    /** Since when no snapshot names it, {@link Duty#NEVER} while one does. */
    long unnamedSinceNanos = Duty.NEVER;

    boolean retired;

    Member(final ManagedAccount account, final LeaseManager manager) {
      this.account = account;
      this.manager = manager;
    }
  }

  private final AccountRegistry registry;
  private final InstanceContext context;
  private final Map<Id128, Member> members = new ConcurrentHashMap<>();
  private RefillState.Mode mode = RefillState.Mode.RUNNING;

  Membership(final AccountRegistry registry, final InstanceContext context) {
    this.registry = registry;
    this.context = context;
  }

  // For any thread

  /** The account, opened by the service as active and strict if it was not open yet. */
  ManagedAccount open(final Id128 account) {
    return pin(member(account, doorbell -> registry.open(account, doorbell)));
  }

  /** The account, opened by the service with this policy, or given it if it is newer. */
  ManagedAccount open(final Id128 account, final AccountPolicy policy) {
    final Member member = member(account, doorbell -> registry.open(account, policy, doorbell));
    member.account.publish(policy);
    return pin(member);
  }

  private ManagedAccount pin(final Member member) {
    member.pinned = true;
    context.loop().post(() -> resume(member));
    return member.account;
  }

  private Member member(final Id128 account, final Function<LeaseDoorbell, AccountState> opening) {
    return members.computeIfAbsent(account, id -> recruit(opening));
  }

  private Member recruit(final Function<LeaseDoorbell, AccountState> opening) {
    final Doorbell doorbell = new Doorbell();
    final AccountState state = opening.apply(doorbell);
    final ManagedAccount account = new ManagedAccount(state, context.loop());
    final LeaseManager manager = new LeaseManager(state, context, account::changed);
    doorbell.manager = manager;
    account.managedBy(manager);
    context.loop().post(() -> manager.enter(mode));
    return new Member(account, manager);
  }

  /** Whether the account is open. */
  boolean has(final Id128 account) {
    return members.containsKey(account);
  }

  /** Every account that is open. */
  Collection<ManagedAccount> accounts() {
    return members.values().stream().map(member -> member.account).toList();
  }

  /** The manager of an account, or null if it is not open. */
  @Nullable LeaseManager manager(final Id128 account) {
    final Member member = members.get(account);
    return member == null ? null : member.manager;
  }

  // For the instance's thread

  /** A snapshot names the account: it is opened if need be, and its leases are kept. */
  void join(final Id128 account, final AccountPolicy policy) {
    final Member member = member(account, doorbell -> registry.open(account, policy, doorbell));
    member.account.publish(policy);
    resume(member);
  }

  /** What the ledger says of an account, if it is open. */
  void publish(final Id128 account, final AccountPolicy policy) {
    final Member member = members.get(account);
    if (member != null) {
      member.account.publish(policy);
    }
  }

  /** Shows the id of every account that is open. */
  void forEach(final Consumer<Id128> to) {
    members.keySet().forEach(to);
  }

  /** Retires the accounts that no snapshot has named for a while. */
  void retain(final Set<Id128> named, final long nowNanos) {
    final long lingerNanos = context.settings().policies().retireAfterNanos();
    members.forEach(
        (id, member) -> {
          if (member.pinned || named.contains(id)) {
            resume(member);
          } else if (member.unnamedSinceNanos == Duty.NEVER) {
            member.unnamedSinceNanos = nowNanos;
          } else if (!member.retired && nowNanos - member.unnamedSinceNanos >= lingerNanos) {
            member.retired = true;
            if (mode == RefillState.Mode.RUNNING) {
              member.manager.enter(RefillState.Mode.RELEASING);
            }
          }
        });
  }

  private void resume(final Member member) {
    member.unnamedSinceNanos = Duty.NEVER;
    if (member.retired) {
      member.retired = false;
      member.manager.enter(mode);
    }
  }

  /** Changes what all managers are up to. */
  void enter(final RefillState.Mode next) {
    mode = next;
    members
        .values()
        .forEach(
            member ->
                member.manager.enter(
                    member.retired && next == RefillState.Mode.RUNNING
                        ? RefillState.Mode.RELEASING
                        : next));
  }

  /** Acquires nothing any more, unless everything is on its way home already. */
  void pause() {
    if (mode == RefillState.Mode.RUNNING) {
      enter(RefillState.Mode.PAUSED);
    }
  }

  /** Whether everything is being brought home, and is. */
  boolean isReleased() {
    return mode == RefillState.Mode.RELEASING
        && members.values().stream().allMatch(member -> member.manager.isDone());
  }

  Collection<LeaseManager> managers() {
    return members.values().stream().map(member -> member.manager).toList();
  }

  /** A doorbell for a slot that must exist before its manager does. */
  private static final class Doorbell implements LeaseDoorbell {
    private volatile @Nullable LeaseManager manager;

    @Override
    public void ring() {
      final LeaseManager listening = manager;
      if (listening != null) {
        listening.ring();
      }
    }
  }
}
