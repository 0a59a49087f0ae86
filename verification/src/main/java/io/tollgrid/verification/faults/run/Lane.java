package io.tollgrid.verification.faults.run;

import io.tollgrid.verification.faults.check.FleetCheck;
import io.tollgrid.verification.faults.check.FleetEvidence;
import io.tollgrid.verification.faults.check.Violation;
import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the lanes have in common: they expect things of a rig, and judge it at the end. */
public final class Lane {
  private final String name;
  private final Rig rig;
  private final Progress progress;
  private final List<String> shortfalls = new ArrayList<>();

  /** A lane on a rig, which says what it does and sees. */
  public Lane(String name, Rig rig, Progress progress) {
    this.name = name;
    this.rig = rig;
    this.progress = progress;
  }

  /** Says what it does. */
  public void say(String line) {
    progress.say(name + ": " + line);
  }

  /** How long a lane may take. */
  static final Duration LIMIT = Duration.ofMinutes(8);

  /** Notes what did not come true. Returns whether it did. */
  public boolean expect(boolean cameTrue, String what) {
    say((cameTrue ? "seen: " : "NOT SEEN: ") + what);
    if (!cameTrue) {
      shortfalls.add(what);
    }
    return cameTrue;
  }

  /** Whether so many more commands are acknowledged in time. */
  boolean acknowledges(long more, long seconds) {
    final long goal = rig.acknowledged() + more;
    return rig.await(() -> rig.acknowledged() >= goal, seconds);
  }

  /** The members that say they are CP members. */
  List<Integer> cpMembers() {
    final List<Integer> members = new ArrayList<>();
    for (int member = 0; member < rig.cluster().size(); member++) {
      if (rig.cluster().isUp(member)) {
        final ChildJvm process = rig.cluster().process(member);
        final Message status = process.heard(Words.STATUS);
        if (status != null && status.number(Words.CP_LOCAL) == 1) {
          members.add(member);
        }
      }
    }
    return members;
  }

  /** Waits until CP has three members again, as CP itself and three members say. */
  boolean cpIsWhole(long seconds) {
    return rig.await(
        () -> rig.cluster().most(Words.CP_MEMBERS) == 3 && cpMembers().size() == 3, seconds);
  }

  /**
   * Makes a member lose confirmations, so that it must ask for fences anew, until one was drawn
   * from CP or the time is over. Returns whether one was.
   */
  boolean drawsFromCp(int member, long seconds) {
    final long before = rig.cluster().total("fences.cp");
    rig.cluster().tell(member, mischief(3));
    final boolean drawn = rig.await(() -> rig.cluster().total("fences.cp") > before, seconds);
    rig.cluster().tell(member, mischief(MischievousStore.USUAL_LOSS_ONE_IN));
    return drawn;
  }

  private static Message mischief(int loseOneIn) {
    return new Message(
        Words.MISCHIEF,
        Map.of(Words.LOSE_ONE_IN, Integer.toString(loseOneIn), Words.WAIT_ONE_IN, "0"));
  }

  /** What it showed. */
  public RunResult result(Map<String, Long> counts, List<Violation> violations) {
    violations.forEach(violation -> say("VIOLATION " + violation));
    return new RunResult(name, counts, violations, shortfalls, Map.of());
  }

  /** Ends the load, kills the members and judges. */
  RunResult judge(Map<String, Long> more, Duration commitsVisibleWithin) throws SQLException {
    expect(rig.finishLoad(), "every caller got an answer in the end");
    final Map<String, Long> counts = rig.counts();
    rig.cluster().killAll();
    counts.putAll(more);
    final FleetEvidence evidence = rig.evidence();
    final FleetCheck check = rig.check(commitsVisibleWithin);
    return result(counts, check.check(evidence));
  }
}
