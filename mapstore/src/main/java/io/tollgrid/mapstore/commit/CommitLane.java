package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.CorruptLedgerException;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.store.CommitRules;
import io.tollgrid.ledger.store.StoredState;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.mapstore.lane.Line;
import io.tollgrid.mapstore.lane.RecurringFaults;
import io.tollgrid.mapstore.lane.Ticket;
import io.tollgrid.mapstore.sql.Commits;
import io.tollgrid.mapstore.sql.SqlFailure;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread, one connection, one batch at a time.
 *
 * <p>A batch ends in one of three ways. It commits, and every transition has its verdict; verdicts
 * that write nothing are handed out as soon as they are reached, since the reads they rest on are
 * of durable rows. It fails before COMMIT was sent, and nothing of it is durable: it is split in
 * halves until the one that cannot be written is alone, or given up as a whole if the connection
 * went. Or COMMIT does not answer with plain success, and all that was written is unknown.
 */
final class CommitLane {
  private static final Logger LOG = LoggerFactory.getLogger(CommitLane.class);
  private static final long JOIN_SECONDS = 15;

  private final Line<Pending, CommitOutcome> line;
  private final CommitterSettings settings;
  private final CommitMetrics metrics;
  private final CommitFaults faults;
  private final Defects defects;
  private final LaneSession session;
  private final BatchReads reads = new BatchReads();
  private final BatchWrites writes;
  private final RecurringFaults recurring;
  private final Thread thread;

  CommitLane(
      String name,
      DataSource connections,
      Line<Pending, CommitOutcome> line,
      CommitterSettings settings,
      CommitMetrics metrics,
      CommitFaults faults,
      Defects defects) {
    this.line = line;
    this.settings = settings;
    this.metrics = metrics;
    this.faults = faults;
    this.defects = defects;
    this.session = new LaneSession(connections, settings.session());
    this.writes = new BatchWrites(defects);
    this.recurring = new RecurringFaults(metrics::now);
    this.thread = new Thread(this::serve, "tollgrid-" + name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void join() {
    try {
      if (thread.isAlive()) {
        thread.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve() {
    for (List<Ticket<Pending, CommitOutcome>> batch = line.take(settings.maxBatchRows());
        batch != null;
        batch = line.take(settings.maxBatchRows())) {
      final long sinceNanos = metrics.now();
      try {
        run(batch, sinceNanos + settings.maxAgeNanos());
      } catch (RuntimeException | Error e) {
        LOG.error("a lane failed outside any transaction it knows of", e);
        session.discard();
        unanswered(batch).forEach(ticket -> ticket.answer(new CommitOutcome.Unknown(e)));
      }
      metrics.batch(batch.size(), sinceNanos);
    }
    session.close();
  }

  /** Runs a batch until each of its tickets is answered. */
  private void run(List<Ticket<Pending, CommitOutcome>> batch, long deadlineNanos) {
    List<Ticket<Pending, CommitOutcome>> toCommit = List.of();
    try {
      toCommit = writeOut(batch);
    } catch (SQLException e) {
      afterFailure(unanswered(batch), e, deadlineNanos);
      return;
    } catch (RuntimeException | Error e) {
      afterFault(unanswered(batch), e, deadlineNanos);
      return;
    }
    if (!toCommit.isEmpty()) {
      commit(toCommit);
    }
  }

  /** Everything up to COMMIT; returns the tickets that COMMIT will make durable. */
  private List<Ticket<Pending, CommitOutcome>> writeOut(List<Ticket<Pending, CommitOutcome>> batch)
      throws SQLException {
    faults.beforeRead(transitionsOf(batch));
    read(batch.stream().map(Ticket::question).toList());
    final List<Ticket<Pending, CommitOutcome>> standing = new ArrayList<>(batch.size());
    for (final Ticket<Pending, CommitOutcome> ticket : batch) {
      final Verdict verdict = judge(ticket.question().chain());
      if (verdict == Verdict.COMMIT) {
        standing.add(ticket);
      } else {
        ticket.answer(new CommitOutcome.Judged(verdict));
      }
    }
    if (standing.isEmpty()) {
      session.connection().commit();
      return standing;
    }
    final List<Pending> written = standing.stream().map(Ticket::question).toList();
    faults.beforeWrite(transitionsOf(standing));
    writes.write(session.statements(), session.number(), written, reads);
    faults.beforeCommit(transitionsOf(standing));
    return standing;
  }

  /** Reads; a connection that broke while it was idle costs a reconnect and nobody's answer. */
  private void read(List<Pending> batch) throws SQLException {
    final boolean wasOpen = session.isOpen();
    session.open();
    try {
      session.planWhenDue();
      reads.read(session.statements(), batch);
    } catch (SQLException e) {
      if (!wasOpen || SqlFailure.of(e) != SqlFailure.DISCONNECTED) {
        throw e;
      }
      session.discard();
      session.open();
      reads.read(session.statements(), batch);
    }
  }

  private Verdict judge(List<Transition> chain) {
    final StoredState stored =
        defects.equals(Defects.NONE) ? reads : new BlindState(reads, chain, defects);
    return CommitRules.decideChain(stored, reads.clockNanos(), settings.maxSkewNanos(), chain);
  }

  private void commit(List<Ticket<Pending, CommitOutcome>> written) {
    final CommitOutcome done = new CommitOutcome.Judged(Verdict.COMMIT);
    if (defects.acknowledgedBeforeCommit()) {
      written.forEach(ticket -> ticket.answer(done));
    }
    CommitOutcome outcome = done;
    try {
      final long sinceNanos = metrics.now();
      Commits.commit(session.connection());
      metrics.committed(sinceNanos);
      metrics.unattributable(writes.unattributable());
      faults.afterCommit(transitionsOf(written));
    } catch (SQLException | RuntimeException | Error e) {
      recurring.came(
          "COMMIT",
          times ->
              LOG.warn(
                  "COMMIT of {} transitions did not answer with success, {} times since it was last told",
                  written.size(),
                  times,
                  e));
      session.discard();
      outcome =
          defects.unknownTreatedAsFailed()
              ? new CommitOutcome.Failed(LedgerCode.UNAVAILABLE, "COMMIT failed", e)
              : new CommitOutcome.Unknown(e);
    }
    for (final Ticket<Pending, CommitOutcome> ticket : unanswered(written)) {
      ticket.answer(outcome);
    }
  }

  /** Nothing of {@code batch} is durable; it failed as PostgreSQL fails. */
  private void afterFailure(
      List<Ticket<Pending, CommitOutcome>> batch, SQLException failure, long deadlineNanos) {
    final SqlFailure kind = SqlFailure.of(failure);
    if (batch.isEmpty()) {
      session.discard();
    } else if (!session.rollback() || kind == SqlFailure.DISCONNECTED) {
      session.discard();
      recurring.came(
          "PostgreSQL went away",
          times ->
              LOG.warn(
                  "{} transitions were not written, PostgreSQL went away, {} times since it was last told",
                  batch.size(),
                  times,
                  failure));
      fail(batch, LedgerCode.UNAVAILABLE, "PostgreSQL does not answer", failure);
    } else if (kind == SqlFailure.LOCKED) {
      withoutLocked(batch, failure, deadlineNanos);
    } else if (batch.size() > 1) {
      split(batch, failure, deadlineNanos);
    } else if (kind == SqlFailure.DUPLICATE) {
      batch.forEach(ticket -> ticket.answer(new CommitOutcome.Judged(Verdict.REPLAY)));
    } else if (kind == SqlFailure.REFUSED_VALUES) {
      final Id128 account = batch.get(0).question().account();
      recurring.came(
          account.toHex(),
          times ->
              LOG.error(
                  "a transition of account {} was refused as corrupt, {} times since it was last told",
                  account,
                  times,
                  failure));
      fail(batch, LedgerCode.CORRUPT, "PostgreSQL refuses the values", failure);
    } else {
      session.planSoon();
      recurring.came(
          String.valueOf(failure.getSQLState()),
          times ->
              LOG.warn(
                  "a transition of account {} was not written, {} times since it was last told",
                  batch.get(0).question().account(),
                  times,
                  failure));
      fail(batch, LedgerCode.UNAVAILABLE, "PostgreSQL could not write it now", failure);
    }
  }

  /** Nothing of {@code batch} is durable; our own code failed on it. */
  private void afterFault(
      List<Ticket<Pending, CommitOutcome>> batch, Throwable fault, long deadlineNanos) {
    if (!session.rollback()) {
      session.discard();
    }
    if (batch.isEmpty()) {
      return;
    }
    if (batch.size() > 1) {
      split(batch, fault, deadlineNanos);
      return;
    }
    final Id128 account = batch.get(0).question().account();
    recurring.came(
        account.toHex(),
        times ->
            LOG.error(
                "a transition of account {} could not be taken to the store, {} times since it was last told",
                account,
                times,
                fault));
    final boolean impossible =
        fault instanceof CorruptLedgerException || fault instanceof IllegalArgumentException;
    fail(
        batch,
        impossible ? LedgerCode.CORRUPT : LedgerCode.UNAVAILABLE,
        impossible ? "a stored row it rests on is impossible" : "the committer failed on it",
        fault);
  }

  /**
   * Somebody else holds a row. Halving would wait for it once per half, so the accounts that can be
   * locked now go on at once, and only the others pay.
   */
  private void withoutLocked(
      List<Ticket<Pending, CommitOutcome>> batch, SQLException failure, long deadlineNanos) {
    final List<Ticket<Pending, CommitOutcome>> free = new ArrayList<>();
    final List<Ticket<Pending, CommitOutcome>> locked = new ArrayList<>();
    try {
      final Set<Id128> held =
          reads.heldByOthers(
              session.statements(),
              batch.stream().map(ticket -> ticket.question().account()).toList());
      for (final Ticket<Pending, CommitOutcome> ticket : batch) {
        final boolean isHeld = held.contains(ticket.question().account());
        (isHeld ? locked : free).add(ticket);
      }
    } catch (SQLException e) {
      failure.addSuppressed(e);
      locked.addAll(batch);
    }
    final boolean usable = session.rollback();
    if (locked.isEmpty() && batch.size() > 1) {
      split(batch, failure, deadlineNanos);
      return;
    }
    recurring.came(
        "locks",
        times ->
            LOG.warn(
                "{} of {} transitions wait for a lock in vain, {} times since it was last told",
                locked.size(),
                batch.size(),
                times,
                failure));
    final boolean goOn = usable && !locked.isEmpty();
    fail(
        goOn ? locked : batch,
        LedgerCode.UNAVAILABLE,
        "another session holds a lock it needs",
        failure);
    if (goOn && !free.isEmpty()) {
      run(free, deadlineNanos);
    }
  }

  private void split(
      List<Ticket<Pending, CommitOutcome>> batch, Throwable failure, long deadlineNanos) {
    if (metrics.now() - deadlineNanos > 0) {
      fail(batch, LedgerCode.UNAVAILABLE, "the batch could not be written in time", failure);
      return;
    }
    session.planSoon();
    metrics.bisected();
    LOG.info("a batch of {} failed, writing its halves", batch.size(), failure);
    final int half = batch.size() / 2;
    run(batch.subList(0, half), deadlineNanos);
    run(batch.subList(half, batch.size()), deadlineNanos);
  }

  private static void fail(
      List<Ticket<Pending, CommitOutcome>> batch,
      LedgerCode code,
      String reason,
      @Nullable Throwable cause) {
    batch.forEach(ticket -> ticket.answer(new CommitOutcome.Failed(code, reason, cause)));
  }

  private static List<Ticket<Pending, CommitOutcome>> unanswered(
      List<Ticket<Pending, CommitOutcome>> batch) {
    return batch.stream().filter(ticket -> !ticket.isAnswered()).toList();
  }

  private static List<Transition> transitionsOf(List<Ticket<Pending, CommitOutcome>> tickets) {
    return tickets.stream().flatMap(ticket -> ticket.question().chain().stream()).toList();
  }
}
