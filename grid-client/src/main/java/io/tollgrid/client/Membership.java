package io.tollgrid.client;

import io.tollgrid.admission.account.AccountRegistry;
import io.tollgrid.admission.account.AccountState;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
  private final AccountRegistry registry;
  private final InstanceContext context;
  private RefillState.Mode mode = RefillState.Mode.RUNNING;

  Membership(final AccountRegistry registry, final InstanceContext context) {
    this.registry = registry;
    this.context = context;
  }

  // For any thread

  /** The account, opened by the service as active and strict if it was not open yet. */
  ManagedAccount open(final Id128 account) {
    return pin(findOrOpen(account, null));
  }

  /** The account, opened by the service with this policy, or given it if it is newer. */
  ManagedAccount open(final Id128 account, final AccountPolicy policy) {
    final LeaseManager member = findOrOpen(account, policy);
    member.managed.publish(policy);
    return pin(member);
  }

  private ManagedAccount pin(final LeaseManager member) {
    member.pinned = true;
    context.loop().post(() -> resume(member));
    return member.managed;
  }

  private LeaseManager findOrOpen(final Id128 account, final @Nullable AccountPolicy policy) {
    final LeaseManager manager =
        managerOf(registry.findOrOpen(account, policy, state -> new LeaseManager(state, context)));
    if (manager == null) {
      throw new IllegalStateException("account " + account + " is open as a prepaid one");
    }
    return manager;
  }

  /** Whether the account is open. */
  boolean has(final Id128 account) {
    return manager(account) != null;
  }

  /** Every account that is open. */
  Collection<ManagedAccount> accounts() {
    return all().map(member -> member.managed).toList();
  }

  /** The manager of an account, or null if it is not open. */
  @Nullable LeaseManager manager(final Id128 account) {
    final AccountState open = registry.find(account);
    return open == null ? null : managerOf(open);
  }

  /** The manager of an account that was found, or null if it is a prepaid one. */
  private static @Nullable LeaseManager managerOf(final AccountState open) {
    return open.owner() instanceof LeaseManager manager ? manager : null;
  }

  private Stream<LeaseManager> all() {
    return registry.all().stream().map(Membership::managerOf).filter(Objects::nonNull);
  }

  // For the instance's thread

  /** A snapshot names the account: it is opened if need be, and its leases are kept. */
  void join(final Id128 account, final AccountPolicy policy) {
    final LeaseManager member = findOrOpen(account, policy);
    member.managed.publish(policy);
    resume(member);
  }

  /** What the ledger says of an account, if it is open. */
  void publish(final Id128 account, final AccountPolicy policy) {
    final LeaseManager member = manager(account);
    if (member != null) {
      member.managed.publish(policy);
    }
  }

  /** Shows the id of every account that is open. */
  void forEach(final Consumer<Id128> to) {
    all().map(LeaseManager::account).forEach(to);
  }

  /** Retires the accounts that no snapshot has named for a while. */
  void retain(final Set<Id128> named, final long nowNanos) {
    final long lingerNanos = context.settings().policies().retireAfterNanos();
    all()
        .forEach(
            member -> {
              if (member.pinned || named.contains(member.account())) {
                resume(member);
              } else if (member.unnamedSinceNanos == Duty.NEVER) {
                member.unnamedSinceNanos = nowNanos;
              } else if (!member.retired && nowNanos - member.unnamedSinceNanos >= lingerNanos) {
                member.retired = true;
                if (mode == RefillState.Mode.RUNNING) {
                  member.enter(RefillState.Mode.RELEASING);
                }
              }
            });
  }

  private void resume(final LeaseManager member) {
    member.unnamedSinceNanos = Duty.NEVER;
    if (member.retired) {
      member.retired = false;
      member.enter(mode);
    }
  }

  /** Changes what all managers are up to. */
  void enter(final RefillState.Mode next) {
    mode = next;
    all()
        .forEach(
            member ->
                member.enter(
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
    return mode == RefillState.Mode.RELEASING && all().allMatch(LeaseManager::isDone);
  }

  Collection<LeaseManager> managers() {
    return all().toList();
  }
}
