package io.tollgrid.verification.faults.run;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * PostgreSQL stops for twenty seconds under sixty-four callers: what waits and what it occupies
 * stay bounded, no command takes effect twice, and everything goes on by itself afterwards.
 */
final class PostgresAwayLane {
  private static final int MEMBERS = 3;
  private static final int CALLERS = 64;
  private static final long AWAY_MILLIS = 20_000;
  private static final long SAMPLE_MILLIS = 250;
  private static final long HEAP_GROWTH_BYTES = 160L << 20;
  private static final Duration COMMITS_VISIBLE_WITHIN = Duration.ofSeconds(40);

  private final long seed;
  private final Progress progress;

  PostgresAwayLane(long seed, Progress progress) {
    this.seed = seed;
    this.progress = progress;
  }

  RunResult run(Path directory) throws SQLException {
    try (Rig rig =
        Rig.prepare(Rig.Mode.CLIENT, MEMBERS, seed, 100, directory, Lane.LIMIT, progress)) {
      final Lane lane = new Lane("postgres-away", rig, progress);
      final Map<String, Long> facts = new TreeMap<>();
      rig.startAll();
      lane.expect(rig.awaitWhole(MEMBERS), "three members become ready");
      rig.startLoad(1, CALLERS);
      lane.expect(lane.acknowledges(2_000, 60), "2,000 commands are served before");
      goAway(rig, lane, facts);
      lane.expect(lane.acknowledges(1_000, 30), "1,000 commands are served after, by themselves");
      lane.expect(rig.awaitWhole(MEMBERS), "all members are ready again");
      lane.expect(
          rig.cluster().unexpectedEnds() == 0 && rig.cluster().restartsAsked() == 0,
          "nobody had to be restarted");
      return lane.judge(facts, COMMITS_VISIBLE_WITHIN);
    }
  }

  private static void goAway(Rig rig, Lane lane, Map<String, Long> facts) {
    final long heapBefore = rig.cluster().most(Words.HEAP_BYTES);
    long waiting = 0;
    long queued = 0;
    long heap = 0;
    rig.postgres().freeze();
    for (long passed = 0; passed < AWAY_MILLIS; passed += SAMPLE_MILLIS) {
      rig.pass(SAMPLE_MILLIS);
      waiting = Math.max(waiting, rig.cluster().most(Words.WAITING));
      queued = Math.max(queued, rig.cluster().most(Words.QUEUED));
      heap = Math.max(heap, rig.cluster().most(Words.HEAP_BYTES));
    }
    rig.postgres().thaw();
    facts.put("most_waiting_for_the_committer", waiting);
    facts.put("most_queued_on_a_member", queued);
    facts.put("heap_before_bytes", heapBefore);
    facts.put("heap_most_bytes", heap);
    lane.expect(
        waiting <= CALLERS, "at most " + CALLERS + " wait for a committer, seen " + waiting);
    lane.expect(
        queued <= 2 * CALLERS,
        "at most " + 2 * CALLERS + " operations are queued on a member, seen " + queued);
    lane.expect(
        heap < heapBefore + HEAP_GROWTH_BYTES,
        "a member's heap grows by less than 160 MiB, from " + heapBefore + " to " + heap);
  }
}
