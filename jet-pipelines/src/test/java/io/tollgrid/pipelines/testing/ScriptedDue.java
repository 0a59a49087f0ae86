package io.tollgrid.pipelines.testing;

import io.tollgrid.ledger.Id128;
import io.tollgrid.mapstore.sweep.DueCursor;
import io.tollgrid.mapstore.sweep.DuePage;
import io.tollgrid.pipelines.sweep.DueReads;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;

/** What is due, in memory; remembers every read and fails on demand. */
public final class ScriptedDue implements DueReads {
  private static final Id128 NO_LEASE = new Id128(0, 0);

  /** One read. */
  public record Read(long cutoffNanos, DueCursor after) {}

  /** Every read so far, failed ones included. */
  public final List<Read> reads = new CopyOnWriteArrayList<>();

  /** While true, reads fail. */
  public volatile boolean away;

  private final NavigableSet<DueCursor> due =
      new ConcurrentSkipListSet<>(
          Comparator.comparingLong(DueCursor::dueNanos)
              .thenComparing(place -> place.account().toHex())
              .thenComparing(place -> place.lease().toHex()));

  /** The account of a number. */
  public static Id128 account(int n) {
    return new Id128(0x7011L, n);
  }

  /** Something of account {@code n} is due. */
  public void add(int n, long dueNanos) {
    due.add(new DueCursor(dueNanos, account(n), NO_LEASE));
  }

  /** Nothing of this account is due any more; returns how many things were. */
  public int settle(Id128 account) {
    final int before = due.size();
    due.removeIf(place -> place.account().equals(account));
    return before - due.size();
  }

  /** How many things are due. */
  public int size() {
    return due.size();
  }

  @Override
  public DuePage page(long cutoffNanos, DueCursor after, int limit) throws SQLException {
    reads.add(new Read(cutoffNanos, after));
    if (away) {
      throw new SQLException("the database is away, as the test wants");
    }
    final List<DueCursor> page = new ArrayList<>();
    final Set<Id128> accounts = new LinkedHashSet<>();
    for (final DueCursor place : new TreeSet<>(due).tailSet(after, false)) {
      if (place.dueNanos() > cutoffNanos || page.size() == limit) {
        break;
      }
      page.add(place);
      accounts.add(place.account());
    }
    return new DuePage(
        List.copyOf(accounts),
        page.isEmpty() ? Optional.empty() : Optional.of(page.get(0)),
        page.size() < limit ? Optional.empty() : Optional.of(page.get(limit - 1)));
  }
}
