package io.tollgrid.verification.faults.run;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Five members, three of them in CP, and two of those killed: the cluster keeps its majority, CP
 * loses its own. Grants go on under fences that PostgreSQL issues, and CP repairs itself from those
 * who are left.
 */
final class CpLossLane {
  private static final int MEMBERS = 5;
  private static final long DRAW_SECONDS = 30;

  private final long seed;
  private final Progress progress;

  CpLossLane(long seed, Progress progress) {
    this.seed = seed;
    this.progress = progress;
  }

  RunResult run(Path directory) throws SQLException {
    try (Rig rig =
        Rig.prepare(Rig.Mode.CLIENT, MEMBERS, seed, 100, directory, Lane.LIMIT, progress)) {
      final Lane lane = new Lane("cp-loss", rig, progress);
      final Map<String, Long> facts = new TreeMap<>();
      rig.startAll();
      lane.expect(rig.awaitWhole(MEMBERS), "five members become ready");
      if (!lane.expect(lane.cpIsWhole(60), "three of five are CP members")) {
        return lane.judge(facts, Duration.ofSeconds(3));
      }
      rig.startLoad(1, 32);
      lane.expect(lane.acknowledges(1_000, 60), "five members serve 1,000 commands");
      lane.expect(
          lane.drawsFromCp(lane.cpMembers().get(0), DRAW_SECONDS), "fences are drawn from CP");
      loseCp(rig, lane, facts);
      rig.awaitWhole(MEMBERS);
      lane.expect(lane.acknowledges(1_000, 60), "five members serve 1,000 commands more");
      return lane.judge(facts, Duration.ofSeconds(3));
    }
  }

  private static void loseCp(Rig rig, Lane lane, Map<String, Long> facts) throws SQLException {
    final List<Integer> victims = lane.cpMembers().subList(0, 2);
    final long issuedBefore = rig.cluster().total("fences.postgresql");
    lane.say("killing CP members " + victims);
    victims.forEach(rig.cluster()::kill);
    final long killedAt = System.nanoTime();
    lane.expect(
        lane.acknowledges(1_000, 30), "1,000 commands are acknowledged without a CP majority");
    final long issued = rig.cluster().total("fences.postgresql") - issuedBefore;
    lane.expect(issued > 0, "PostgreSQL issues the fences of the partitions that moved");
    lane.expect(lane.cpIsWhole(120), "CP has three members again, by itself");
    facts.put(
        "cp_repaired_after_millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedAt));
    facts.put("fences_issued_without_cp", issued);
    lane.expect(
        lane.drawsFromCp(lane.cpMembers().get(0), DRAW_SECONDS), "fences are drawn from CP again");
    victims.forEach(rig::startMember);
  }
}
