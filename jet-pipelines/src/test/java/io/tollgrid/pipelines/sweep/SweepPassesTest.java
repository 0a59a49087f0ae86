package io.tollgrid.pipelines.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.sweep.DueCursor;
import io.tollgrid.pipelines.testing.ManualClock;
import io.tollgrid.pipelines.testing.ScriptedDue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses R19 and R40: how passes read, on a clock that stands still unless told otherwise. */
class SweepPassesTest {
  private static final SweepSettings SETTINGS =
      new SweepSettings(
          3,
          Duration.ofSeconds(1).toNanos(),
          Duration.ofMinutes(1).toNanos(),
          8,
          2,
          Duration.ofSeconds(1).toNanos(),
          Duration.ofSeconds(8).toNanos(),
          100,
          Duration.ofSeconds(30).toNanos());

  private final ManualClock clock = new ManualClock();
  private final ScriptedDue due = new ScriptedDue();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SweepReport report = new SweepReport(Sweep.RECLAIM, clock, registry);
  private final SweepPasses passes = new SweepPasses(Sweep.RECLAIM, due, clock, SETTINGS, report);

  @Test
  void aPassGoesOnPastAccountsThatAreNotServed() {
    dueNow(7);

    final List<Id128> handedOut = new ArrayList<>();
    for (int page = 0; page < 3; page++) {
      handedOut.addAll(passes.next().accounts());
    }

    assertThat(handedOut).containsExactlyElementsOf(accounts(7));
    assertThat(passes.next()).isEqualTo(SweepPasses.Batch.NONE);
    assertThat(due.reads).hasSize(3);
  }

  @Test
  void aPassKeepsTheCutoffItBeganWith() {
    dueNow(7);
    final long began = clock.nowNanos();

    for (int page = 0; page < 3; page++) {
      assertThat(passes.next().cutoffNanos()).isEqualTo(began);
      clock.pass(Duration.ofSeconds(2));
    }

    assertThat(due.reads).extracting(ScriptedDue.Read::cutoffNanos).containsOnly(began);
    passes.next();
    assertThat(due.reads.get(3).cutoffNanos()).isEqualTo(clock.nowNanos());
    assertThat(due.reads.get(3).after()).isEqualTo(DueCursor.START);
  }

  @Test
  void theNextPassBeginsAfterTheIntervalAndNoSooner() {
    passes.next();
    clock.pass(Duration.ofMillis(499));
    assertThat(passes.next()).isEqualTo(SweepPasses.Batch.NONE);
    assertThat(due.reads).hasSize(1);

    clock.pass(Duration.ofMillis(501));
    passes.next();

    assertThat(due.reads).hasSize(2);
    assertThat(count("tollgrid.sweep.passes", "complete")).isEqualTo(2);
  }

  @Test
  void aReadThatFailsIsRepeatedWhereItWasAfterPausesThatGrow() {
    dueNow(5);
    passes.next();
    final long began = clock.nowNanos();
    due.away = true;

    for (int millis = 0; millis < 15_000; millis += 100) {
      passes.next();
      passes.next();
      clock.pass(Duration.ofMillis(100));
    }
    final int tries = due.reads.size() - 1;
    due.away = false;
    clock.pass(Duration.ofSeconds(8));

    assertThat(passes.next().accounts()).containsExactly(account(3), account(4));
    assertThat(tries).isBetween(4, 8);
    assertThat(count("tollgrid.sweep.pages", "failed")).isEqualTo(tries);
    assertThat(due.reads.subList(1, due.reads.size()))
        .containsOnly(new ScriptedDue.Read(began, due.reads.get(1).after()));
  }

  @Test
  void aPassThatTakesTooLongBeginsAnewWithWhatIsOldestThen() {
    dueNow(9);
    passes.next();
    clock.pass(Duration.ofSeconds(61));

    assertThat(passes.next().accounts()).containsExactly(account(0), account(1), account(2));
    assertThat(count("tollgrid.sweep.passes", "cut")).isEqualTo(1);
  }

  @Test
  void theLagIsTheAgeOfWhatIsOldestOrTheTimeSinceAPassEnded() {
    assertThat(report.lagNanos()).isEmpty();
    report.readingBegins();
    due.add(0, clock.nowNanos() - Duration.ofSeconds(40).toNanos());
    passes.next();
    assertThat(report.lagNanos()).hasValue(Duration.ofSeconds(40).toNanos());

    due.settle(account(0));
    clock.pass(Duration.ofSeconds(1));
    passes.next();
    assertThat(report.lagNanos()).hasValue(0);

    due.away = true;
    clock.pass(Duration.ofSeconds(50));
    passes.next();
    assertThat(report.lagNanos()).hasValue(Duration.ofSeconds(50).toNanos());
    report.readingEnds();
    assertThat(report.lagNanos()).isEmpty();
  }

  private void dueNow(int count) {
    for (int n = 0; n < count; n++) {
      due.add(n, clock.nowNanos() - 100 + n);
    }
  }

  private static List<Id128> accounts(int count) {
    final List<Id128> accounts = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      accounts.add(account(n));
    }
    return accounts;
  }

  private static Id128 account(int n) {
    return ScriptedDue.account(n);
  }

  private double count(String name, String result) {
    return registry.get(name).tag("result", result).counter().count();
  }
}
