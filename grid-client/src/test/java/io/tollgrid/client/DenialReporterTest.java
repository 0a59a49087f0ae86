package io.tollgrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.outcome.DenialMinutes;
import io.tollgrid.ledger.DenialMinute;
import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Id128;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses R50's data: denials reach the authority, bounded, again until they are kept. */
class DenialReporterTest {
  private static final Id128 ACCOUNT = new Id128(0xACC, 1);
  private static final Id128 ALICE = new Id128(0xA, 1);
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;

  private final ManualTime time = new ManualTime();
  private final ScriptedPolicies authority = new ScriptedPolicies();
  private final Instance instance =
      new Instance(
          TestGrids.of(new ScriptedLedgers(time), authority, time),
          new TestIds(1),
          InstanceSettings.DEFAULTS,
          () -> {});

  private void later(long nanos) {
    final long until = time.nowNanos() + nanos;
    while (time.nowNanos() < until) {
      time.advance(SECOND);
      instance.run(time.nowNanos());
      instance.run(time.nowNanos());
    }
  }

  private void denied(Id128 principal, Denial reason, long quoteUnits) {
    denials().record(ACCOUNT, principal, reason, quoteUnits, time.nowNanos());
  }

  private DenialMinutes denials() {
    return instance.admission().denials();
  }

  @Test
  void aMinuteThatIsOverIsReportedOnceAndNotBefore() {
    final long minute = Math.floorDiv(time.nowNanos(), MINUTE);
    denied(ALICE, Denial.NO_LEASE, 5);
    denied(ALICE, Denial.NO_LEASE, 7);
    later((minute + 1) * MINUTE - time.nowNanos() - 2 * SECOND);
    assertThat(authority.denials).isEmpty();

    later(3 * MINUTE);

    assertThat(authority.denials).hasSize(1);
    final DenialReport report = authority.denials.get(0);
    assertThat(report.number()).isEqualTo(1);
    assertThat(report.minutes())
        .containsExactly(new DenialMinute(ACCOUNT, ALICE, "NO_LEASE", minute, 2, 7));
    assertThat(instance.denials().reported()).isEqualTo(2);
    assertThat(instance.denials().failedReports()).isZero();
  }

  @Test
  void aReportWithoutAnAnswerIsSentAgainAsItWasAndWhatComesMeanwhileFollows() {
    authority.away = true;
    denied(ALICE, Denial.NO_LEASE, 5);
    later(2 * MINUTE);
    denied(ALICE, Denial.UNMETERED, 0);
    later(2 * MINUTE);
    final List<DenialReport> inVain = List.copyOf(authority.denials);
    assertThat(inVain).hasSizeGreaterThan(2).hasSizeLessThan(200).containsOnly(inVain.get(0));
    assertThat(instance.denials().failedReports()).isEqualTo(inVain.size());

    authority.away = false;
    authority.denials.clear();
    later(MINUTE);

    assertThat(authority.denials).extracting(DenialReport::number).containsExactly(1L, 2L);
    assertThat(authority.denials.get(0)).isEqualTo(inVain.get(0));
    assertThat(authority.denials.get(1).minutes())
        .extracting(DenialMinute::reason)
        .containsExactly("UNMETERED");
    assertThat(instance.denials().reported()).isEqualTo(2);
  }

  @Test
  void whatFindsNoPlaceWhileNobodyAnswersIsCountedAndReportsStayWithinTheirBound() {
    authority.away = true;
    final int principals = 1_000;
    final int minutes = 8;
    for (int minute = 0; minute < minutes; minute++) {
      for (int i = 0; i < principals; i++) {
        denied(new Id128(0xB, i), Denial.NO_LEASE, 1);
      }
      later(MINUTE);
    }
    assertThat(instance.denials().dropped()).isPositive();

    authority.away = false;
    authority.denials.clear();
    later(5 * MINUTE);

    assertThat(authority.denials)
        .allSatisfy(report -> assertThat(report.minutes()).hasSizeLessThanOrEqualTo(512));
    assertThat(instance.denials().reported() + instance.denials().dropped())
        .isEqualTo(principals * minutes);
  }
}
