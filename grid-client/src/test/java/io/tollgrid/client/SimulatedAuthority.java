package io.tollgrid.client;

import io.tollgrid.grid.PolicySource;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialBinding;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.CredentialRecord;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.Subject;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The authority on policies and credentials, read in virtual time: its answers take a while, and at
 * times come late, fail, or say what stood before they were asked.
 *
 * <p>Generations are allocated as the publisher of the store does: the next one for what differs,
 * and for a revocation; publishing what is in force changes nothing.
 */
final class SimulatedAuthority {
  /** How an answer may go wrong, in chances of a thousand. */
  record Manners(int failed, int late, int old) {
    static final Manners GOOD = new Manners(0, 0, 0);
    static final Manners BAD = new Manners(250, 150, 250);
  }

  /** One who reads, and when its reading last went wrong. */
  static final class Reader {
    private int troubled;
    private int underWay;
    private long lastTroubleNanos = Long.MIN_VALUE;
    private final Map<Id128, Long> askedAboutNanos = new HashMap<>();

    /** When it last asked about a principal by name, or never. */
    long askedAboutNanos(Id128 principal) {
      return askedAboutNanos.getOrDefault(principal, Long.MIN_VALUE);
    }

    boolean isReading() {
      return underWay > 0;
    }

    /** Whether every answer since then was prompt, true, and as of its question or later. */
    boolean readsWellSince(long nanos) {
      return troubled == 0 && lastTroubleNanos < nanos;
    }
  }

  private record Past(long untilNanos, ScriptedPolicies contents) {}

  private static final long MILLI = SimulatedFleet.MILLI;
  private static final long SLOWEST_NANOS = 8 * MILLI;
  private static final long LATEST_NANOS = 3_000 * MILLI;

  /** After how long a reader gives up on an authority that stands still. */
  private static final long PATIENCE_NANOS = 5_000 * MILLI;

  private final VirtualTime time;
  private final SplittableRandom random;
  private final boolean lagging;
  private final ScriptedPolicies contents = new ScriptedPolicies();
  private final Deque<Past> past = new ArrayDeque<>();
  private final Map<Object, Long> changedAtNanos = new HashMap<>();
  private Manners manners = Manners.GOOD;
  private boolean standing;

  /**
   * An authority of nothing.
   *
   * @param lagging whether it answers of a past state when it errs, up to {@link
   *     FleetScale#LAG_NANOS}
   */
  SimulatedAuthority(VirtualTime time, SplittableRandom random, boolean lagging) {
    this.time = time;
    this.random = random;
    this.lagging = lagging;
    for (int i = 0; i < FleetScale.BALLAST_CREDENTIALS; i++) {
      contents.issue(
          new CredentialRecord(
              new Id128(1, i + 1),
              new Bits256(0, 0, 1, i + 1),
              new CredentialBinding.OneSubject(FleetScale.STRANGER),
              Long.MAX_VALUE));
    }
  }

  // Writing

  void manners(Manners next) {
    manners = next;
  }

  Manners manners() {
    return manners;
  }

  void stand(boolean still) {
    standing = still;
  }

  void account(Id128 account, AccountPolicy policy) {
    if (!policy.equals(contents.accounts.get(account))) {
      remember(account);
      contents.accounts.put(account, policy);
    }
  }

  Plan publish(Plan plan) {
    final Plan before = contents.plans.get(plan.name());
    if (before != null && before.equals(plan.withGeneration(before.generation()))) {
      return before;
    }
    final Plan next = plan.withGeneration(before == null ? 1 : before.generation() + 1);
    remember(plan.name());
    contents.plans.put(plan.name(), next);
    return next;
  }

  PrincipalSnapshot publish(PrincipalSnapshot snapshot) {
    final PrincipalPolicy before = contents.principals.get(snapshot.principal());
    if (before instanceof PrincipalPolicy.Published published
        && published.snapshot().equals(snapshot.withGeneration(before.generation()))) {
      return published.snapshot();
    }
    final PrincipalSnapshot next =
        snapshot.withGeneration(before == null ? 1 : before.generation() + 1);
    remember(next.principal());
    contents.principals.put(next.principal(), new PrincipalPolicy.Published(next));
    return next;
  }

  /** Revokes a principal with a snapshot; whether there was one. */
  boolean revoke(Id128 principal) {
    final PrincipalPolicy before = contents.principals.get(principal);
    if (!(before instanceof PrincipalPolicy.Published)) {
      return false;
    }
    remember(principal);
    contents.revoked(principal, before.generation() + 1);
    return true;
  }

  void issue(CredentialRecord credential) {
    contents.issue(credential);
  }

  void retire(Id128 keyId) {
    contents.retire(keyId);
  }

  /** Lets a credential end earlier. */
  void expireBy(Id128 keyId, long nanos) {
    contents.credentials.replaceAll(
        it ->
            it.keyId().equals(keyId)
                ? new CredentialRecord(
                    keyId, it.digest(), it.binding(), Math.min(nanos, it.expiresAtNanos()))
                : it);
    contents.revision++;
  }

  private void remember(Object changed) {
    past.add(new Past(time.nowNanos(), contents.copy()));
    while (past.getFirst().untilNanos() < time.nowNanos() - FleetScale.LAG_NANOS) {
      past.removeFirst();
    }
    changedAtNanos.put(changed, time.nowNanos());
  }

  // What stands here

  @Nullable PrincipalPolicy principal(Id128 principal) {
    return contents.principals.get(principal);
  }

  @Nullable AccountPolicy account(Id128 account) {
    return contents.accounts.get(account);
  }

  @Nullable Plan plan(String name) {
    return contents.plans.get(name);
  }

  /** When an account, a plan or a principal last changed. */
  long changedAtNanos(Object what) {
    return changedAtNanos.getOrDefault(what, Long.MIN_VALUE);
  }

  // Reading

  PolicySource source(Reader reader) {
    return new PolicySource() {
      @Override
      public CompletionStage<PolicySet> read(PolicyQuery query) {
        if (query instanceof PolicyQuery.ByPrincipal by) {
          by.principals().forEach(it -> reader.askedAboutNanos.put(it, time.nowNanos()));
        }
        return ask(
            reader, () -> contents.answer(query), () -> asOf(lagged()).answer(query), lagging);
      }

      @Override
      public CompletionStage<CredentialPage> credentials(Id128 after, int limit) {
        final Supplier<CredentialPage> page = () -> contents.page(after, limit);
        return ask(reader, page, page, false);
      }

      @Override
      public CompletionStage<Introduction> introduce(Subject subject) {
        return CompletableFuture.failedStage(
            new UnsupportedOperationException("nobody is introduced"));
      }

      @Override
      public CompletionStage<Boolean> keep(DenialReport report) {
        return CompletableFuture.completedStage(true);
      }
    };
  }

  private long lagged() {
    return time.nowNanos() - random.nextLong(FleetScale.LAG_NANOS);
  }

  private ScriptedPolicies asOf(long nanos) {
    for (final Past before : past) {
      if (nanos < before.untilNanos()) {
        return before.contents();
      }
    }
    return contents;
  }

  private <T> CompletionStage<T> ask(
      Reader reader, Supplier<T> answer, Supplier<T> oldAnswer, boolean mayBeOld) {
    final CompletableFuture<T> future = new CompletableFuture<>();
    final int luck = random.nextInt(1_000);
    final boolean fails = standing || luck < manners.failed();
    final boolean late = !fails && luck < manners.failed() + manners.late();
    final boolean old = !fails && mayBeOld && luck >= 1_000 - manners.old();
    reader.underWay++;
    if (fails || late || old) {
      reader.troubled++;
    }
    time.after(
        random.nextLong(SLOWEST_NANOS),
        () -> {
          final T content = old ? oldAnswer.get() : answer.get();
          final boolean stuck = standing && !fails && !late && !old;
          if (stuck) {
            reader.troubled++;
          }
          time.after(
              standing ? PATIENCE_NANOS : random.nextLong(late ? LATEST_NANOS : SLOWEST_NANOS),
              () -> {
                reader.underWay--;
                if (fails || late || old || stuck) {
                  reader.troubled--;
                  reader.lastTroubleNanos = time.nowNanos();
                }
                if (fails || stuck) {
                  future.completeExceptionally(new IllegalStateException("made to fail"));
                } else {
                  future.complete(content);
                }
              });
        });
    return future;
  }
}
