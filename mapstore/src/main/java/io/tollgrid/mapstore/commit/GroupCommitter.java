package io.tollgrid.mapstore.commit;

import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.mapstore.lane.Line;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Makes transitions durable, many at a time.
 *
 * <p>Callers wait in a line; each lane takes everything that waits and runs it as one PostgreSQL
 * transaction at READ COMMITTED: lock, check, write. While one lane flushes the next one executes,
 * so a batch is what waited meanwhile and nobody is delayed on purpose. Transitions with many usage
 * rows have a line and a lane of their own and cannot make the others wait.
 *
 * <p>At most one chain of transitions per account is in a batch. The lanes of one line are not
 * bound to partitions: under a skewed load a bound lane would idle while another's callers wait,
 * and row locks keep two lanes off one account where the grid does not.
 *
 * <p>Every answer is one of three: judged, failed (nothing was written), unknown. An exception is
 * raised for no transition. Thread-safe.
 */
public final class GroupCommitter implements AutoCloseable {
  private final CommitterSettings settings;
  private final CommitMetrics metrics;
  private final Line<Pending, CommitOutcome> line;
  private final Line<Pending, CommitOutcome> heavyLine;
  private final List<CommitLane> lanes = new ArrayList<>();
  private final Defects defects;

  /** A committer that writes through {@code connections}; not yet started. */
  public GroupCommitter(
      DataSource connections, CommitterSettings settings, MeterRegistry registry) {
    this(connections, settings, registry, CommitFaults.NONE, Defects.NONE);
  }

  /** A committer that fails on purpose, for the harnesses that must survive or notice it. */
  public GroupCommitter(
      DataSource connections,
      CommitterSettings settings,
      MeterRegistry registry,
      CommitFaults faults,
      Defects defects) {
    this.settings = settings;
    this.defects = defects;
    this.metrics = new CommitMetrics(registry);
    this.line = line("ordinary");
    this.heavyLine = line("heavy");
    for (int i = 0; i < settings.lanes(); i++) {
      lanes.add(
          new CommitLane("committer-" + i, connections, line, settings, metrics, faults, defects));
    }
    lanes.add(
        new CommitLane(
            "committer-heavy", connections, heavyLine, settings, metrics, faults, defects));
  }

  /** Starts the lanes. Each opens its connection when it first needs one. */
  public void start() {
    lanes.forEach(CommitLane::start);
  }

  /**
   * Waits until the transition is durable or will not be, however often the thread is interrupted;
   * the flag is clear on return.
   *
   * @return {@link CommitOutcome.Failed} with {@link LedgerCode#UNAVAILABLE} at once if too many
   *     callers wait or the oldest has waited for too long
   */
  public CommitOutcome commit(Transition transition) {
    return commit(List.of(transition));
  }

  /**
   * As {@link #commit(Transition)}, for transitions of one account that stand or fall together.
   *
   * @param chain one transition, or lease commands of one account, each decided on the ledger that
   *     the one before it left
   * @throws IllegalArgumentException if they are no chain
   */
  public CommitOutcome commit(List<Transition> chain) {
    final Pending pending = new Pending(chain);
    if (defects.answersUnchecked() && !pending.writes()) {
      return new CommitOutcome.Judged(Verdict.CONFIRMED);
    }
    final CommitOutcome outcome =
        (pending.usageRows() >= settings.heavyRows() ? heavyLine : line).ask(pending);
    metrics.answered(outcome);
    return outcome;
  }

  /** How many changes found PostgreSQL older than the memory they were decided on. */
  public long authorityRegressions() {
    return metrics.judged(Verdict.AUTHORITY_REGRESSED);
  }

  /** Turns new callers away, serves those that wait, and ends the lanes. */
  @Override
  public void close() {
    line.close();
    heavyLine.close();
    lanes.forEach(CommitLane::join);
  }

  private Line<Pending, CommitOutcome> line(String kind) {
    final Line<Pending, CommitOutcome> made =
        new Line<>(
            settings.maxWaiting(),
            settings.maxAgeNanos(),
            metrics.clock(),
            reason ->
                new CommitOutcome.Failed(
                    LedgerCode.UNAVAILABLE, "the committer cannot take more: " + reason, null),
            Pending::account,
            Pending::weight);
    metrics.watch(kind, made);
    return made;
  }
}
