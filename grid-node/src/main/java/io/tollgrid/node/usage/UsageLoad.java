package io.tollgrid.node.usage;

import io.tollgrid.client.BulkUsageWriter;
import io.tollgrid.client.UsageSettings;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.IdSource;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.usage.RecordedUsage;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Loads usage that was recorded elsewhere: reads its lines, ships every event to its ledger and
 * says of every line what became of it (R20).
 *
 * <p>The same input can be loaded any number of times; what was accepted once is a duplicate then.
 * A bad line changes nothing and holds up nobody. Memory is bounded, whatever the input holds: by
 * one line, the events without an answer, and the duplicates that are still to be compared with
 * what is recorded. Thread-safe: each run has a writer of its own.
 */
public final class UsageLoad {
  /** Told of a run, on the thread that runs it. */
  public interface Listener {
    /** A line that was not accepted; in the order in which that became known. */
    void fault(LineFault fault);

    /** So many lines were read so far. Called with every line, and while answers are awaited. */
    void read(long lines);
  }

  private static final UsageSettings SETTINGS = UsageSettings.BULK;
  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  private final UsageInbox inbox;
  private final RecordedUsage recorded;
  private final LedgerClock clock;
  private final IdSource ids;
  private final Duration patience;

  /**
   * Loads through an inbox; it is not closed here.
   *
   * @param recorded what duplicates are compared with
   * @param patience how long not one event may be answered before a run gives up
   */
  public UsageLoad(
      UsageInbox inbox,
      RecordedUsage recorded,
      LedgerClock clock,
      IdSource ids,
      Duration patience) {
    this.inbox = inbox;
    this.recorded = recorded;
    this.clock = clock;
    this.ids = ids;
    this.patience = patience;
  }

  /**
   * Loads {@code in} to its end.
   *
   * @param in lines as docs/usage-import.md has them, unpacked; not closed here
   * @throws UnreadableInputException if the input cannot be read to its end
   * @throws SQLException if what is recorded cannot be read; every line that was read was shipped
   */
  public LoadReport run(InputStream in, Listener listener)
      throws UnreadableInputException, SQLException, InterruptedException {
    try (BulkUsageWriter writer = BulkUsageWriter.start(inbox, clock, ids, SETTINGS)) {
      return new Run(writer, listener).run(new UsageLines(in));
    }
  }

  private record Answer(long line, UsageDelivery delivery, UsageVerdict verdict) {}

  private final class Run {
    private final BulkUsageWriter writer;
    private final Listener listener;
    private final Tally tally = new Tally();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final List<Answer> duplicates = new ArrayList<>();
    private final long startNanos = clock.nowNanos();
    private long answeredNanos = startNanos;

    Run(BulkUsageWriter writer, Listener listener) {
      this.writer = writer;
      this.listener = listener;
    }

    LoadReport run(UsageLines lines)
        throws UnreadableInputException, SQLException, InterruptedException {
      UnreadableInputException broken = null;
      try {
        while (hasRoom() && lines.next()) {
          line(lines);
        }
      } catch (IOException e) {
        broken = new UnreadableInputException(lines.number(), e);
      }
      awaitAnswers(1);
      final long elapsedNanos = clock.nowNanos() - startNanos;
      compare();
      if (broken != null) {
        throw broken;
      }
      return tally.report(elapsedNanos);
    }

    private void line(UsageLines lines) throws InterruptedException {
      tally.line();
      final long number = lines.number();
      try {
        final UsageDelivery delivery = lines.event();
        writer.write(
            delivery.account(),
            delivery.event(),
            verdict -> answers.add(new Answer(number, delivery, verdict)));
        tally.shipped();
      } catch (BadLineException e) {
        listener.fault(new LineFault(number, e.kind().code(), String.valueOf(e.getMessage())));
      }
    }

    /** Whether another event may be shipped; waits until it may be. */
    private boolean hasRoom() throws SQLException, InterruptedException {
      takeAnswers();
      listener.read(tally.lines());
      return writer.open() < SETTINGS.slots() || awaitAnswers(SETTINGS.slots());
    }

    /** Waits until fewer than {@code atMost} events have no answer; false if it gave up. */
    private boolean awaitAnswers(long atMost) throws SQLException, InterruptedException {
      answeredNanos = clock.nowNanos();
      while (writer.open() >= atMost) {
        if (clock.nowNanos() - answeredNanos > patience.toNanos()) {
          return false;
        }
        final boolean unused = writer.flush(LOOK_EVERY);
        takeAnswers();
        listener.read(tally.lines());
      }
      takeAnswers();
      return true;
    }

    private void takeAnswers() throws SQLException {
      for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
        answeredNanos = clock.nowNanos();
        take(answer);
      }
    }

    private void take(Answer answer) throws SQLException {
      final UsageVerdict verdict = answer.verdict();
      tally.classified(verdict, answer.delivery().event().units());
      if (verdict.kind() == UsageVerdict.Kind.REJECTED) {
        listener.fault(
            new LineFault(
                answer.line(),
                verdict.name(),
                "the ledger rejected it; it is kept, and not billed"));
      } else if (verdict.kind() == UsageVerdict.Kind.DUPLICATE) {
        duplicates.add(answer);
        if (duplicates.size() == RecordedUsage.MAX_EVENTS) {
          compare();
        }
      }
    }

    /** Duplicates were recognised by their ids; now for what they say. */
    private void compare() throws SQLException {
      final BitSet differing =
          recorded.differing(duplicates.stream().map(Answer::delivery).toList());
      tally.differing(differing.cardinality());
      differing.stream()
          .forEach(
              position ->
                  listener.fault(
                      new LineFault(
                          duplicates.get(position).line(),
                          LineFault.DIFFERING,
                          "this part was recorded before, and not with this payload; nothing changed")));
      duplicates.clear();
    }
  }
}
