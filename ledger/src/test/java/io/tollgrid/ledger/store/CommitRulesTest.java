package io.tollgrid.ledger.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageVerdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R57 (a transition ahead of the store's clock writes nothing), R16 (unique ids, no old
 * attempt acts late) and R15 (an answer is checked): every verdict, and which comes first when
 * several are due.
 */
class CommitRulesTest {
  private static final Id128 ACCOUNT = new Id128(0, 1);
  private static final int PARTITION = 7;
  private static final long FENCE = 40;
  private static final long VERSION = 12;
  private static final long CLOCK = 1_000_000;
  private static final long SKEW = 500;
  private static final RowKey EXPECTED = new RowKey.DeliveryKey(ACCOUNT, 1);
  private static final RowKey UNEXPECTED = new RowKey.DeliveryKey(ACCOUNT, 2);
  private static final StoredRow ROW = new StoredRow.RejectedRow(UsageVerdict.BEYOND_LEASE);
  private static final StoredRow OTHER = new StoredRow.RejectedRow(UsageVerdict.BEYOND_LOSS);

  /** What the store holds. */
  private static final class Stored implements StoredState {
    private long fence = FENCE;
    private long version = VERSION;
    private final Map<RowKey, StoredRow> rows = new HashMap<>(Map.of(EXPECTED, ROW));

    @Override
    public long fence(int partition) {
      return partition == PARTITION ? fence : -1;
    }

    @Override
    public long version(Id128 account) {
      return account.equals(ACCOUNT) ? version : -1;
    }

    @Override
    public @Nullable StoredRow row(Id128 account, RowKey key) {
      return account.equals(ACCOUNT) ? rows.get(key) : null;
    }
  }

  private final Stored stored = new Stored();
  private long clock = CLOCK;
  private long ledgerTime = CLOCK;
  private long notAfter = CLOCK;
  private boolean writes = true;
  private List<Lease> inserted = List.of();
  private RowKey unexpected = UNEXPECTED;

  private Transition transition() {
    return transitionAt(VERSION);
  }

  private Transition transitionAt(long baseVersion) {
    return new Transition(
        ACCOUNT,
        PARTITION,
        FENCE,
        null,
        new Effects(
            new LedgerRequest(ACCOUNT, "a", notAfter, new LedgerCommand.Cross()),
            new Outcome.Crossed(1, VERSION + 1),
            baseVersion,
            ledgerTime,
            writes,
            inserted,
            List.of(),
            List.of(),
            null,
            List.of(),
            List.of(),
            null,
            Set.of(unexpected),
            Map.of(EXPECTED, ROW)));
  }

  private Verdict decide() {
    return CommitRules.decide(stored, clock, SKEW, List.of(transition())).get(0);
  }

  private Verdict decideChain(Transition... chain) {
    return CommitRules.decideChain(stored, clock, SKEW, List.of(chain));
  }

  @Nested
  class AChain {
    @Test
    void isCommittedWhenEachLinkRestsOnTheOneBefore() {
      assertThat(decideChain(transitionAt(VERSION), transitionAt(VERSION + 1)))
          .isEqualTo(Verdict.COMMIT);
    }

    @Test
    void isCommittedWithTheChecksInIt() {
      final Transition write = transitionAt(VERSION);
      writes = false;
      assertThat(decideChain(transitionAt(VERSION), write, transitionAt(VERSION + 1)))
          .isEqualTo(Verdict.COMMIT);
      assertThat(decideChain(transitionAt(VERSION), transitionAt(VERSION)))
          .isEqualTo(Verdict.CONFIRMED);
    }

    @Test
    void isStaleWhenItsFirstLinkIs() {
      stored.version = VERSION + 1;
      assertThat(decideChain(transitionAt(VERSION), transitionAt(VERSION + 1)))
          .isEqualTo(Verdict.STALE);
    }

    @Test
    void isAReplayWhenALinkDeniesWhatAnEarlierOneInserts() {
      final Id128 id = new Id128(0, 9);
      unexpected = new RowKey.LeaseKey(id);
      inserted =
          List.of(
              new Lease(
                  id,
                  ACCOUNT,
                  1,
                  ACCOUNT,
                  0,
                  0,
                  1,
                  0,
                  0,
                  0,
                  0,
                  LeaseState.ACTIVE,
                  CLOCK,
                  CLOCK,
                  0,
                  0,
                  null));
      final Transition first = transitionAt(VERSION);
      assertThat(decideChain(first, transitionAt(VERSION + 1))).isEqualTo(Verdict.REPLAY);
      assertThat(decideChain(first)).isEqualTo(Verdict.COMMIT);
    }

    @Test
    void fallsWithWhicheverLinkFalls() {
      final Transition first = transitionAt(VERSION);
      notAfter = CLOCK - SKEW - 1;
      assertThat(decideChain(first, transitionAt(VERSION + 1))).isEqualTo(Verdict.TOO_LATE);
      notAfter = CLOCK;
      ledgerTime = CLOCK + SKEW + 1;
      assertThat(decideChain(first, transitionAt(VERSION + 1))).isEqualTo(Verdict.CLOCK_AHEAD);
      stored.fence = FENCE + 1;
      assertThat(decideChain(first, transitionAt(VERSION + 1))).isEqualTo(Verdict.FENCED);
    }
  }

  @Nested
  class EachVerdict {
    @Test
    void aWriteThatRestsOnWhatIsStoredIsCommitted() {
      assertThat(decide()).isEqualTo(Verdict.COMMIT);
    }

    @Test
    void aCheckThatHoldsIsConfirmed() {
      writes = false;
      assertThat(decide()).isEqualTo(Verdict.CONFIRMED);
    }

    @Test
    void anotherFenceIsFencedWhetherOlderOrNewer() {
      stored.fence = FENCE + 1;
      assertThat(decide()).isEqualTo(Verdict.FENCED);
      stored.fence = FENCE - 1;
      assertThat(decide()).isEqualTo(Verdict.FENCED);
    }

    @Test
    void anOlderVersionIsStale() {
      stored.version = VERSION + 1;
      assertThat(decide()).isEqualTo(Verdict.STALE);
      writes = false;
      assertThat(decide()).isEqualTo(Verdict.STALE);
    }

    @Test
    void aStoreBehindMemoryHasRegressed() {
      stored.version = VERSION - 1;
      assertThat(decide()).isEqualTo(Verdict.AUTHORITY_REGRESSED);
      stored.version = 0;
      assertThat(decide()).isEqualTo(Verdict.AUTHORITY_REGRESSED);
    }

    @Test
    void aRowThatReadsOtherwiseOrIsGoneIsStale() {
      stored.rows.put(EXPECTED, OTHER);
      assertThat(decide()).isEqualTo(Verdict.STALE);
      stored.rows.remove(EXPECTED);
      assertThat(decide()).isEqualTo(Verdict.STALE);
      writes = false;
      assertThat(decide()).isEqualTo(Verdict.STALE);
    }

    @Test
    void aRowThatMustNotExistIsAReplay() {
      stored.rows.put(UNEXPECTED, ROW);
      assertThat(decide()).isEqualTo(Verdict.REPLAY);
      writes = false;
      assertThat(decide()).isEqualTo(Verdict.REPLAY);
    }

    @Test
    void ledgerTimeMayLeadByTheSkewAndNotByOneNanosecondMore() {
      ledgerTime = CLOCK + SKEW;
      assertThat(decide()).isEqualTo(Verdict.COMMIT);
      ledgerTime = CLOCK + SKEW + 1;
      assertThat(decide()).isEqualTo(Verdict.CLOCK_AHEAD);
      writes = false;
      assertThat(decide()).isEqualTo(Verdict.CLOCK_AHEAD);
    }

    @Test
    void aLateOwnersClockIsNoFault() {
      ledgerTime = 0;
      assertThat(decide()).isEqualTo(Verdict.COMMIT);
    }

    @Test
    void aWriteIsTooLateOnceTheSkewBeyondItsDeadlineHasPassed() {
      notAfter = CLOCK - SKEW;
      assertThat(decide()).isEqualTo(Verdict.COMMIT);
      notAfter = CLOCK - SKEW - 1;
      assertThat(decide()).isEqualTo(Verdict.TOO_LATE);
    }

    @Test
    void aCheckIsNeverTooLateForItWritesNothing() {
      writes = false;
      notAfter = 0;
      assertThat(decide()).isEqualTo(Verdict.CONFIRMED);
    }

    @Test
    void noDistanceInTimeWraps() {
      ledgerTime = Long.MAX_VALUE;
      clock = -SKEW - 2;
      assertThat(decide()).isEqualTo(Verdict.CLOCK_AHEAD);

      ledgerTime = CLOCK;
      clock = CLOCK;
      notAfter = Long.MIN_VALUE;
      assertThat(decide()).isEqualTo(Verdict.TOO_LATE);

      ledgerTime = Long.MIN_VALUE;
      clock = Long.MAX_VALUE;
      notAfter = Long.MAX_VALUE;
      assertThat(decide()).isEqualTo(Verdict.COMMIT);
    }

    @Test
    void everyVerdictIsReachedByAQuestionOfItsOwn() {
      assertThat(PRECEDENCE).containsExactlyInAnyOrder(Verdict.values());
    }
  }

  /** Every verdict, the one that is asked first first; what stands comes last. */
  private static final List<Verdict> PRECEDENCE =
      List.of(
          Verdict.FENCED,
          Verdict.CLOCK_AHEAD,
          Verdict.AUTHORITY_REGRESSED,
          Verdict.STALE,
          Verdict.REPLAY,
          Verdict.TOO_LATE,
          Verdict.COMMIT,
          Verdict.CONFIRMED);

  @Nested
  class Precedence {
    private final Map<Verdict, Runnable> causes = new EnumMap<>(Verdict.class);

    Precedence() {
      causes.put(Verdict.FENCED, () -> stored.fence++);
      causes.put(Verdict.CLOCK_AHEAD, () -> ledgerTime = CLOCK + SKEW + 1);
      causes.put(Verdict.AUTHORITY_REGRESSED, () -> stored.version--);
      causes.put(Verdict.STALE, () -> stored.rows.put(EXPECTED, OTHER));
      causes.put(Verdict.REPLAY, () -> stored.rows.put(UNEXPECTED, ROW));
      causes.put(Verdict.TOO_LATE, () -> notAfter = CLOCK - SKEW - 1);
    }

    @Test
    void whatEndsAnAttemptIsAskedInAFixedOrder() {
      // Every set of causes at once: the first of them in the order decides.
      for (int mask = 0; mask < 1 << causes.size(); mask++) {
        final Set<Verdict> due = EnumSet.noneOf(Verdict.class);
        final CommitRulesTest fresh = new CommitRulesTest();
        final Precedence questions = fresh.new Precedence();
        for (int i = 0; i < causes.size(); i++) {
          if ((mask >> i & 1) == 1) {
            due.add(PRECEDENCE.get(i));
            questions.causes.get(PRECEDENCE.get(i)).run();
          }
        }
        final Verdict first =
            PRECEDENCE.stream().filter(due::contains).findFirst().orElse(Verdict.COMMIT);
        assertThat(fresh.decide()).as("with %s", due).isEqualTo(first);

        fresh.writes = false;
        final Verdict ofACheck =
            first == Verdict.TOO_LATE || first == Verdict.COMMIT ? Verdict.CONFIRMED : first;
        assertThat(fresh.decide()).as("a check with %s", due).isEqualTo(ofACheck);
      }
    }

    @Test
    void aVersionThatDiffersExplainsARowThatDiffers() {
      stored.version = VERSION + 1;
      stored.rows.put(UNEXPECTED, ROW);
      assertThat(decide()).isEqualTo(Verdict.STALE);
    }
  }

  @Test
  void aBatchIsJudgedOneByOneAndInOrder() {
    final List<Transition> batch = new ArrayList<>();
    batch.add(transition());
    notAfter = 0;
    batch.add(transition());
    writes = false;
    batch.add(transition());
    ledgerTime = CLOCK + SKEW + 1;
    batch.add(transition());

    assertThat(CommitRules.decide(stored, CLOCK, SKEW, batch))
        .containsExactly(Verdict.COMMIT, Verdict.TOO_LATE, Verdict.CONFIRMED, Verdict.CLOCK_AHEAD);
  }

  @Test
  void onlyWhatWasWrittenOrConfirmedStandsAndTheRestSaysWhy() {
    final Map<Verdict, LedgerCode> codes = new EnumMap<>(Verdict.class);
    codes.put(Verdict.FENCED, LedgerCode.FENCED);
    codes.put(Verdict.STALE, LedgerCode.STALE);
    codes.put(Verdict.REPLAY, LedgerCode.REPLAY);
    codes.put(Verdict.CLOCK_AHEAD, LedgerCode.CLOCK_AHEAD);
    codes.put(Verdict.TOO_LATE, LedgerCode.TOO_LATE);
    codes.put(Verdict.AUTHORITY_REGRESSED, LedgerCode.AUTHORITY_REGRESSED);
    for (final Verdict verdict : Verdict.values()) {
      assertThat(verdict.code()).as("code of %s", verdict).isEqualTo(codes.get(verdict));
      assertThat(verdict.stands()).as("%s stands", verdict).isEqualTo(!codes.containsKey(verdict));
    }
  }
}
