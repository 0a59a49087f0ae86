package io.tollgrid.verification.faults.sweep;

import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.mapstore.sweep.DueAccounts;
import io.tollgrid.mapstore.sweep.DueCursor;
import io.tollgrid.mapstore.sweep.DuePage;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.process.ParentLine;
import io.tollgrid.verification.faults.run.Connections;
import io.tollgrid.verification.faults.run.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A second driver of the rollover, outside the grid: it reads the same pages by the same cutoff as
 * the job does and asks the same ledgers, with nothing in common but PostgreSQL and the owners.
 *
 * <p>Two jobs in one cluster would not race as hard: their stages meet on each member, which keeps
 * one command under way for an account whichever job offers it.
 *
 * <p>Arguments: the cluster's name, the operator's key file, PostgreSQL's URL, user and password
 * file, the cutoff in epoch nanoseconds, then the addresses of the members. It begins at the cutoff
 * and ends once nothing is due by it.
 */
public final class SweepDriver {
  /** Whom the journal names for its crossings. */
  static final String ACTOR = "second-driver";

  static final String CROSSED = "crossed";
  static final String SOMEBODY_WAS_FIRST = "somebody-was-first";
  static final String PAGES = "pages";
  static final String PASSES = "passes";

  private static final int PAGE = 500;
  private static final int AT_ONCE = 96;
  private static final long DRAIN_SECONDS = 180;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final DueAccounts due;
  private final SweepLedgers ledgers;
  private final long cutoffNanos;
  private final LongAdder crossed = new LongAdder();
  private final LongAdder late = new LongAdder();
  private long pages;
  private long passes;

  private SweepDriver(DueAccounts due, SweepLedgers ledgers, long cutoffNanos) {
    this.due = due;
    this.ledgers = ledgers;
    this.cutoffNanos = cutoffNanos;
  }

  /** Drives until nothing is due, says what it did, and waits to be ended. */
  public static void main(String[] arguments) throws InterruptedException {
    final ParentLine line = ParentLine.open();
    line.listen(message -> System.err.println("nobody knows what to do about " + message));
    final List<String> words = List.of(arguments);
    final LedgerClock clock = new SystemClock();
    final long cutoffNanos = Long.parseLong(words.get(5));
    final SweepLedgers ledgers =
        new SweepLedgers(
            ACTOR,
            Connections.client(words.get(0), words.subList(6, words.size())),
            Path.of(words.get(1)),
            clock,
            AT_ONCE);
    final LedgerDataSources sources =
        LedgerDataSources.open(
            new PostgresAddress(words.get(2), words.get(3), read(Path.of(words.get(4)))),
            LedgerDataSources.Sizes.DEFAULTS);
    final SweepDriver driver =
        new SweepDriver(new DueAccounts(sources.sweeps()), ledgers, cutoffNanos);
    line.say(Message.of(Words.STATUS));
    while (clock.nowNanos() < cutoffNanos) {
      LockSupport.parkNanos(cutoffNanos - clock.nowNanos());
    }
    driver.drive();
    line.say(driver.finished());
    Thread.currentThread().join();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Message finished() {
    final TreeMap<String, String> counts = new TreeMap<>();
    counts.put(CROSSED, Long.toString(crossed.sum()));
    counts.put(SOMEBODY_WAS_FIRST, Long.toString(late.sum()));
    counts.put(PAGES, Long.toString(pages));
    counts.put(PASSES, Long.toString(passes));
    return new Message(Words.FINISHED, counts);
  }

  private void drive() throws InterruptedException {
    while (pass()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** One pass. Returns whether anything was due. */
  private boolean pass() throws InterruptedException {
    passes++;
    boolean any = false;
    DueCursor cursor = DueCursor.START;
    while (true) {
      final DuePage page;
      try {
        page = due.withDueBoundaries(cutoffNanos, cursor, PAGE);
      } catch (SQLException e) {
        System.err.println("a page could not be read: " + e);
        LockSupport.parkNanos(PAUSE_NANOS);
        continue;
      }
      pages++;
      any |= !page.accounts().isEmpty();
      page.accounts().forEach(this::cross);
      if (page.next().isEmpty()) {
        break;
      }
      cursor = page.next().get();
    }
    if (!ledgers.drained(DRAIN_SECONDS)) {
      throw new IllegalStateException("accounts were not served within " + DRAIN_SECONDS + " s");
    }
    return any;
  }

  private void cross(Id128 account) {
    final var unused =
        ledgers
            .ask(account, new LedgerCommand.Cross())
            .thenAccept(
                outcome -> {
                  if (outcome instanceof Outcome.Crossed) {
                    crossed.increment();
                  } else if (outcome instanceof Outcome.Refused refused
                      && refused.reason() == Refusal.NOT_DUE) {
                    late.increment();
                  } else {
                    System.err.println(account + " answered " + outcome);
                  }
                });
  }
}
