package io.tollgrid.client;

import io.tollgrid.admission.lease.HeldLease;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every lease an instance holds of one account: the current one, which is in the slot, and the
 * displaced ones, on which work may still run. Confined to the instance's thread.
 */
final class LeaseBooks {
  private final RefillState state;
  private @Nullable LeaseBook current;

  /** Immutable: most accounts have none, and passes walk it while they change it. */
  private List<LeaseBook> displaced = List.of();

  private @Nullable LeaseBook folding;

  LeaseBooks(final RefillState state) {
    this.state = state;
  }

  @Nullable LeaseBook current() {
    return current;
  }

  /** The displaced leases now, oldest first. */
  List<LeaseBook> displaced() {
    return displaced;
  }

  boolean isEmpty() {
    return current == null && displaced.isEmpty();
  }

  /** Leases held, current and displaced. */
  int size() {
    return displaced.size() + (current == null ? 0 : 1);
  }

  /** Units that neither went home nor were recorded: what an end without release would forfeit. */
  long unsettledUnits() {
    long units = current == null ? 0 : unsettled(current);
    for (final LeaseBook book : displaced) {
      units = Math.addExact(units, unsettled(book));
    }
    return units;
  }

  /**
   * A lease was granted: it becomes current and displaces the one that was, or starts displaced.
   */
  void add(final HeldLease lease, final boolean wanted, final long nowNanos) {
    final LeaseBook book = new LeaseBook(lease, nowNanos);
    if (wanted) {
      final HeldLease before = state.slot().replace(lease);
      final LeaseBook beforeBook = current;
      if ((before == null) != (beforeBook == null)) {
        throw new IllegalStateException("the slot and the books disagree about the current lease");
      }
      if (beforeBook != null) {
        moveOut(beforeBook, nowNanos);
      }
      current = book;
    } else {
      lease.close();
      moveOut(book, nowNanos);
    }
  }

  /** Takes the current lease out of the slot. */
  void displaceCurrent(final long nowNanos) {
    final LeaseBook book = current;
    if (book != null) {
      state.slot().take();
      current = null;
      moveOut(book, nowNanos);
    }
  }

  /**
   * The ledger has folded this lease. If every unit of it was accounted for then, it has ended it
   * in the same step and nothing is left to say.
   */
  void folded(final LeaseBook book, final boolean ended) {
    folding = ended ? book : null;
  }

  /** The ledger says that this lease has ended. */
  void close(final LeaseBook book) {
    if (book == current) {
      state.slot().take();
      current = null;
    }
    displaced = displaced.stream().filter(other -> other != book).toList();
  }

  /** Gives up every lease without a word to the ledger, which will reclaim them. */
  void abandon() {
    state.slot().take();
    current = null;
    displaced = List.of();
    folding = null;
  }

  /** Looks at every counter. Returns the units debited since the last look, less what came back. */
  long observe(final long nowNanos) {
    final LeaseBook book = current;
    if (book == null) {
      return 0;
    }
    book.lease().usableAt(nowNanos);
    return book.sample(nowNanos);
  }

  /** When a lease must be replaced or renewed, so that there is time to try more than once. */
  long replaceAtNanos(final LeaseBook book) {
    final LeaseSettings settings = state.settings();
    final long usableNanos = settings.ttlNanos() - settings.marginNanos();
    return Math.max(
        book.postponedUntilNanos(),
        book.lease().expiresAtNanos() - settings.marginNanos() - usableNanos / 3);
  }

  /** When the next lease must be replaced, renewed or released. */
  long nextDueNanos() {
    long due = current == null ? Duty.NEVER : replaceAtNanos(current);
    for (final LeaseBook book : displaced) {
      due = Math.min(due, book.isAccountedFor() ? Long.MIN_VALUE : replaceAtNanos(book));
    }
    return due;
  }

  private void moveOut(final LeaseBook book, final long nowNanos) {
    book.displace(nowNanos);
    if (book == folding && book.isAccountedFor()) {
      folding = null;
    } else {
      displaced = Stream.concat(displaced.stream(), Stream.of(book)).toList();
    }
  }

  private static long unsettled(final LeaseBook book) {
    return Math.addExact(book.returningUnits(), book.lease().unaccountedUnits());
  }
}
