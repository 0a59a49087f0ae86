package io.tollgrid.formal.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.admission.concurrency.GaugeHandOffStress;
import io.tollgrid.admission.request.OveragePublicationStress;
import io.tollgrid.admission.request.StartAgainstCancelStress;
import io.tollgrid.formal.stress.StressRun.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jcstress.annotations.Expect;

/**
 * Two threads on the shipped classes, some hundred thousand times. Witnesses R6 (one of start and
 * cancel wins, and the loser sees what the winner wrote), R33 (what is being committed is never
 * called refundable) and R30 (the hand-off of a gauge admits nobody beyond its first ceiling).
 */
@Tag("slow")
class MemoryOrderTest {
  private static final Path SOURCES =
      Path.of(System.getProperty("tollgrid.repository", ".."))
          .toAbsolutePath()
          .normalize()
          .resolve("admission/src/main/java/io/tollgrid/admission");
  private static final List<Class<?>> TESTS =
      List.of(
          StartAgainstCancelStress.class, OveragePublicationStress.class, GaugeHandOffStress.class);
  private static final int ROUNDS = 2;
  private static final int MOST_ROUNDS_OF_A_WEAKENING = 100;

  @TempDir private Path scratch;

  @Test
  void nothingForbiddenIsSeenOfWhatIsShipped() throws IOException, InterruptedException {
    final List<Seen> seen = run(TESTS, ROUNDS);

    assertThat(seen).filteredOn(state -> state.expect() != Expect.ACCEPTABLE).isEmpty();
    assertThat(seen)
        .extracting(Seen::test)
        .containsAll(TESTS.stream().map(Class::getName).toList());
    assertThat(seen).filteredOn(state -> state.state().equals("1, 0, 7, 1")).isNotEmpty();
    assertThat(seen).filteredOn(state -> state.state().equals("0, 1, 9, 0")).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("twins")
  void whatAWeakerOrderAllowsIsSeen(List<Weakening> twin) throws IOException, InterruptedException {
    final Path replaced = Files.createDirectories(scratch.resolve("replaced"));
    for (final Weakening weakening : twin) {
      weakening.compile(SOURCES, replaced);
    }

    final List<Seen> seen =
        run(twin.stream().<Class<?>>map(Weakening::test).toList(), MOST_ROUNDS_OF_A_WEAKENING);

    assertThat(twin)
        .allSatisfy(
            weakening ->
                assertThat(seen)
                    .filteredOn(state -> state.test().equals(weakening.test().getName()))
                    .extracting(Seen::expect)
                    .contains(Expect.FORBIDDEN));
  }

  /** Weakenings of different classes share a process. */
  static Stream<List<Weakening>> twins() {
    return Stream.of(
        List.of(
            new Weakening(
                "StartIsNoCompareAndSet",
                "request/UsageSlot",
                """
                      if (WORD.compareAndSet(this, seen, PhaseWord.started(seen, funded))) {
                        return true;
                      }
                """,
                """
                      word = PhaseWord.started(seen, funded);
                      return true;
                """,
                StartAgainstCancelStress.class),
            new Weakening(
                "CommitEndsBeforeItCounts",
                "lease/OverageAllowance",
                """
                    COMMITTED.getAndAdd(this, committed);
                    PUBLICATION.getAndAdd(this, ONE_ENDED - 1);
                """,
                """
                    PUBLICATION.getAndAdd(this, ONE_ENDED - 1);
                    COMMITTED.getAndAdd(this, committed);
                """,
                OveragePublicationStress.class),
            new Weakening(
                "NoSecondLookAtTheStripes",
                "concurrency/ConcurrencyGauge",
                "if (ceiling == STRIPED) {",
                "if (ceiling == STRIPED || own >= 0) {",
                GaugeHandOffStress.class)),
        List.of(
            new Weakening(
                "BusyIsClearedByAWrite",
                "request/UsageSlot",
                """
                      if (WORD.compareAndSet(this, seen, PhaseWord.idle(seen))) {
                        return;
                      }
                """,
                """
                      word = PhaseWord.idle(seen);
                      return;
                """,
                StartAgainstCancelStress.class)));
  }

  private List<Seen> run(List<Class<?>> tests, int rounds)
      throws IOException, InterruptedException {
    return StressRun.of(tests, rounds, scratch.resolve("replaced"), scratch.resolve("log"));
  }
}
