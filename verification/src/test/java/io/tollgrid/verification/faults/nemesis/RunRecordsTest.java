package io.tollgrid.verification.faults.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Witnesses that runs of many sittings add up, and that one without trouble counts as void. */
class RunRecordsTest {
  @Test
  void runsOfManySittingsAddUp(@TempDir Path directory) {
    final Path file = directory.resolve("runs.jsonl");
    assertThat(new RunRecords(file).all()).isEmpty();

    new RunRecords(file).add(List.of(run(0, 1, 1), run(1, 0, 1)));
    new RunRecords(file).add(List.of(run(2, 1, 0)));

    assertThat(new RunRecords(file).all())
        .containsExactly(run(0, 1, 1), run(1, 0, 1), run(2, 1, 0));
    assertThat(RunRecords.histogram(new RunRecords(file).all()))
        .containsEntry("runs", 3L)
        .containsEntry("bit", 1L)
        .containsEntry("void", 2L)
        .containsEntry("fault.Kill", 3L)
        .containsEntry("fault.DatabaseCrash", 3L)
        .containsEntry("fault.Freeze", 3L)
        .containsEntry("takeovers", 2L)
        .containsEntry("violations", 0L);
  }

  private static RunRecord run(int number, long takeovers, long stragglers) {
    return new RunRecord(
        1,
        number,
        3,
        true,
        "2026-12-01T00:00:00Z",
        40,
        List.of(
            List.of("Kill[members=[0], lastsMillis=1]", "DatabaseCrash[]"),
            List.of("Freeze[member=0]")),
        1_000,
        500,
        takeovers,
        1,
        1,
        stragglers,
        List.of());
  }
}
