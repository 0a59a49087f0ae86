package io.tollgrid.client;

import io.tollgrid.admission.snapshot.MissedPrincipals;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.admission.snapshot.RefusedSnapshotException;
import io.tollgrid.admission.snapshot.SnapshotMap;
import io.tollgrid.grid.Change;
import io.tollgrid.grid.PolicySource;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.Subject;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what an instance knows of principals, plans and accounts current (R37, R38).
 *
 * <p>Confined to the instance's thread; {@link #ring} and {@link #introduce} may be called by any.
 */
final class PolicyKeeper extends InstanceLoop.Ringer {
  /*
   * Everything that comes into force was read from the authority. What arrives by itself only says what to read soon:
   *   a change      somebody published something;
   *   a miss        a request asked for a principal that is not known here;
   *   an expiry     a negative answer has run out;
   *   a gap         word of changes may have been lost: everything.
   * And everything is read again within the refresh interval, whether or not anything was heard. A round of that begins
   * after half of the interval, so that it has ended within it.
   *
   * One read is under way at a time. Its answer counts from when it was asked: a snapshot is good for so long from then,
   * and what was learnt meanwhile is told from it by the epoch that was taken then.
   *
   * A page lists the principals with a snapshot in force. So whoever was revoked, and word of it lost, is not on any: at
   * the end of a round, those who were not seen in it are asked for by name.
   */
  private static final Logger LOG = LoggerFactory.getLogger(PolicyKeeper.class);

  private final PolicySource source;
  private final InstanceContext context;
  private final PolicySettings settings;
  private final SnapshotMap principals;
  private final MissedPrincipals missed;
  private final Membership accounts;
  private final PolicyCounters counters;
  private final Duty afterRounds;
  private final Backoff failures;
  private final PolicyDue due = new PolicyDue();
  private final SharedValues<AccountPolicy> shared = new SharedValues<>();
  private boolean reading;
  private long quietUntilNanos;
  private long nextRoundNanos;

  /** When the round under way began; 0 if there is none. */
  private long roundNanos;

  private boolean chasing;
  private volatile boolean everCurrent;

  /**
   * A keeper that has read nothing yet.
   *
   * @param afterRounds called on whenever everything has just been read
   */
  PolicyKeeper(
      final PolicySource source,
      final InstanceContext context,
      final SnapshotMap principals,
      final MissedPrincipals missed,
      final Membership accounts,
      final PolicyCounters counters,
      final Duty afterRounds) {
    this.afterRounds = afterRounds;
    this.source = source;
    this.context = context;
    this.settings = context.settings().policies();
    this.principals = principals;
    this.missed = missed;
    this.accounts = accounts;
    this.counters = counters;
    this.failures =
        new Backoff(settings.firstBackoffNanos(), settings.maxBackoffNanos(), context.random());
  }

  /** A request asked for a principal in vain. Any thread; allocates nothing. */
  void ring() {
    context.loop().ring(this);
  }

  /** Whether everything that is tracked was read at least once. Any thread. */
  boolean isCurrent() {
    return everCurrent;
  }

  // What arrives by itself

  void accountChanged(final Id128 account) {
    if (accounts.has(account)) {
      due.account(account);
      soon();
    }
  }

  void planChanged(final String plan) {
    if (principals.hasPlan(plan)) {
      due.plan(plan);
      soon();
    }
  }

  void principalChanged(final Id128 principal) {
    if (isTracked(principal)) {
      due.principal(principal);
      soon();
    }
  }

  /** Word of changes may have been lost: all of it, but not by every instance at once. */
  void gap() {
    final long jitter = context.random().nextLong(settings.firstBackoffNanos());
    nextRoundNanos = Math.min(nextRoundNanos, context.loop().nowNanos() + jitter);
    soon();
  }

  /** Introduces a subject, and then reads at once what is on record about it. Any thread. */
  CompletionStage<Introduction> introduce(final Subject subject) {
    final Id128 principal = subject.principal();
    return Questions.ask(() -> source.introduce(subject))
        .whenComplete(
            (introduction, failure) -> {
              if (Introduction.PUBLISHED.equals(introduction)) {
                context.changes().publish(new Change.PrincipalChanged(principal));
              }
              context.loop().post(() -> principalChanged(principal));
            });
  }

  private boolean isTracked(final Id128 principal) {
    return !(settings.tracked() instanceof Tracked.Fixed fixed)
        || fixed.principals().contains(principal);
  }

  @Override
  long perform(final long nowNanos) {
    for (final Id128 principal : missed.drain()) {
      if (isTracked(principal) && !principals.isNegative(principal)) {
        due.lookup(principal);
      }
    }
    principals.expired(nowNanos).stream().filter(this::isTracked).forEach(due::lookup);
    if (nowNanos >= nextRoundNanos) {
      beginRound(nowNanos);
    }
    if (!reading && nowNanos >= quietUntilNanos) {
      final PolicyQuery next = due.take();
      if (next != null) {
        read(next, nowNanos);
      }
    }
    return nextDueNanos();
  }

  private long nextDueNanos() {
    long next = Math.min(nextRoundNanos, principals.nextExpiryNanos());
    if (!reading && !due.isEmpty()) {
      next = Math.min(next, quietUntilNanos);
    }
    return next;
  }

  // Rounds

  private void beginRound(final long nowNanos) {
    nextRoundNanos = nowNanos + Backoff.jittered(settings.refreshNanos() / 2, context.random());
    if (roundNanos > 0 || reading) {
      // A round is under way, or about to end: this one begins after it.
      nextRoundNanos = nowNanos + settings.firstBackoffNanos();
      return;
    }
    roundNanos = nowNanos;
    chasing = false;
    accounts.forEach(due::account);
    if (settings.tracked() instanceof Tracked.Fixed fixed) {
      fixed.principals().forEach(due::principal);
      if (due.isCaughtUp()) {
        endRound(nowNanos);
      }
    } else {
      due.scan();
    }
  }

  private void endRound(final long nowNanos) {
    if (!chasing) {
      chasing = true;
      final long unseen = Math.addExact(roundNanos, settings.staleAfterNanos()) - 1;
      principals.stale(unseen).stream().filter(this::isTracked).forEach(due::principal);
      if (!due.isCaughtUp()) {
        return;
      }
    }
    roundNanos = 0;
    everCurrent = true;
    final Set<Id128> named = new HashSet<>();
    principals.forEachActive(
        principal -> {
          final var standing = principal.standing();
          for (int leg = 0; standing != null && leg < standing.legs(); leg++) {
            named.add(standing.account(leg).id());
          }
        });
    accounts.retain(named, nowNanos);
    context.loop().callOn(afterRounds, nowNanos);
  }

  // Reads

  private void read(final PolicyQuery query, final long nowNanos) {
    reading = true;
    final long epoch = principals.readEpoch();
    final var stage = Questions.ask(() -> source.read(query));
    final var unused =
        stage.whenComplete(
            (set, failure) ->
                context
                    .loop()
                    .post(
                        () -> {
                          reading = false;
                          answered(query, set, failure, nowNanos, epoch);
                          soon();
                        }));
  }

  private void answered(
      final PolicyQuery query,
      final @Nullable PolicySet set,
      final @Nullable Throwable failure,
      final long askedNanos,
      final long epoch) {
    final long nowNanos = context.loop().nowNanos();
    if (set == null) {
      failed(query, failure, nowNanos);
      return;
    }
    counters.reads.increment();
    failures.reset();
    take(query, set, askedNanos, epoch);
    if (roundNanos > 0 && due.isCaughtUp()) {
      endRound(nowNanos);
    }
  }

  private void failed(
      final PolicyQuery query, final @Nullable Throwable failure, final long nowNanos) {
    counters.failedReads.increment();
    due.again(query);
    quietUntilNanos = nowNanos + failures.nextNanos();
    if (failures.isWorthAWarning()) {
      LOG.warn(
          "policies have not been readable for a while; snapshots go stale, and their requests are"
              + " denied, {} s after they were last read",
          settings.staleAfterNanos() / 1_000_000_000L,
          failure);
    } else {
      LOG.debug("policies could not be read; they will be again", failure);
    }
  }

  // What an answer says, in the order in which one part names the other

  private void take(
      final PolicyQuery query, final PolicySet set, final long askedNanos, final long epoch) {
    final boolean named = !(query instanceof PolicyQuery.ByAccount);
    set.accounts().forEach((account, policy) -> take(account, policy, named));
    set.plans().forEach(this::take);
    set.principals().forEach(principal -> take(principal, askedNanos, epoch));
    if (query instanceof PolicyQuery.ByPrincipal by) {
      final Set<Id128> absent = new HashSet<>(by.principals());
      set.principals().forEach(principal -> absent.remove(principal.principal()));
      absent.forEach(principal -> unknown(principal, epoch));
    } else if (query instanceof PolicyQuery.Page page) {
      final int size = set.principals().size();
      due.scanned(size < page.limit() ? null : set.principals().get(size - 1).principal());
    }
  }

  private void take(final Id128 account, final AccountPolicy policy, final boolean named) {
    try {
      if (named) {
        accounts.join(account, shared.of(policy));
      } else {
        accounts.publish(account, shared.of(policy));
      }
    } catch (IllegalArgumentException e) {
      unsafe("the policy of account " + account, e);
    }
  }

  private void take(final Plan plan) {
    try {
      principals.publish(plan);
    } catch (IllegalArgumentException e) {
      unsafe("plan " + plan.name(), e);
    }
  }

  private void take(final PrincipalPolicy principal, final long askedNanos, final long epoch) {
    if (principal instanceof PrincipalPolicy.Published published) {
      take(published.snapshot(), Math.addExact(askedNanos, settings.staleAfterNanos()), epoch);
    } else {
      revoked(principal, epoch);
    }
  }

  private void take(
      final PrincipalSnapshot snapshot, final long freshUntilNanos, final long epoch) {
    try {
      if (principals.resolved(snapshot, freshUntilNanos, epoch) == Publication.READ_TOO_OLD) {
        due.principal(snapshot.principal());
      }
    } catch (RefusedSnapshotException e) {
      unsafe("the snapshot of principal " + snapshot.principal(), e);
    }
  }

  private void revoked(final PrincipalPolicy principal, final long epoch) {
    final long nowNanos = context.loop().nowNanos();
    if (principals.revoked(principal.principal(), principal.generation(), nowNanos, epoch)
        == Publication.READ_TOO_OLD) {
      due.principal(principal.principal());
    }
  }

  private void unknown(final Id128 principal, final long epoch) {
    if (principals.unknown(principal, context.loop().nowNanos(), epoch)
        == Publication.READ_TOO_OLD) {
      due.principal(principal);
    }
  }

  /** What is in force stays so until it is stale, and then requests are denied. */
  private void unsafe(final String what, final IllegalArgumentException why) {
    counters.unsafe.increment();
    LOG.warn("{} does not come into force here: {}", what, why.getMessage());
  }

  private void soon() {
    context.loop().callOn(this, context.loop().nowNanos());
  }
}
