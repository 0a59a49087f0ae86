package io.tollgrid.verification.faults.run;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/**
 * Two of three members at a cold start: CP cannot form, PostgreSQL issues the fences, ledgers work;
 * when the third comes, CP forms and takes over.
 */
final class ColdStartLane {
  private static final int MEMBERS = 3;

  private final long seed;
  private final Progress progress;

  ColdStartLane(long seed, Progress progress) {
    this.seed = seed;
    this.progress = progress;
  }

  RunResult run(Path directory) throws SQLException {
    try (Rig rig =
        Rig.prepare(Rig.Mode.CLIENT, MEMBERS, seed, 50, directory, Lane.LIMIT, progress)) {
      final Lane lane = new Lane("cold-start", rig, progress);
      rig.startMember(0);
      rig.startMember(1);
      lane.expect(rig.awaitWhole(2), "two of three members become ready from cold");
      rig.startLoad(1, 32);
      lane.expect(lane.acknowledges(2_000, 60), "two of three serve 2,000 commands");
      final long issued = rig.cluster().total("fences.postgresql");
      lane.expect(issued > 0, "PostgreSQL issues fences while CP cannot");
      lane.expect(
          rig.cluster().total("fences.cp") == 0,
          "no fence is drawn from a CP that has no majority");
      rig.startMember(2);
      lane.expect(rig.awaitWhole(MEMBERS), "the third member joins");
      lane.expect(lane.cpIsWhole(90), "CP forms once all three are there");
      lane.expect(lane.drawsFromCp(0, 30), "fences are drawn from CP then");
      lane.expect(lane.acknowledges(1_000, 60), "three of three serve 1,000 commands more");
      return lane.judge(Map.of("fences_issued_without_cp", issued), Duration.ofSeconds(3));
    }
  }
}
