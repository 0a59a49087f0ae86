package io.tollgrid.admission.snapshot;

import io.tollgrid.ledger.Id128;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Principals by id: one writer at a time, any number of readers that never wait.
 *
 * <p>Open addressing over references, at most half full, so a lookup touches one cache line of the
 * table and the principal itself. A removed principal leaves a mark that readers pass over, until
 * the table is made anew.
 */
final class PrincipalTable {
  private static final int FIRST_CAPACITY = 64;
  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Principal[].class);
  private static final Principal REMOVED = new Principal(Id128.ZERO);

  private volatile @Nullable Principal[] places = new Principal[FIRST_CAPACITY];

  /** Places that are not empty, marks included. */
  private int used;

  private int size;

  /** The principal, or null. For any thread. */
  @Nullable Principal find(final long high, final long low) {
    final @Nullable Principal[] now = places;
    for (int i = placeOf(high, low, now.length); ; i = i + 1 & now.length - 1) {
      final Principal found = (Principal) PLACE.getAcquire(now, i);
      if (found == null || (found.is(high, low) && found != REMOVED)) {
        return found;
      }
    }
  }

  /** Adds one that is not there. For the writer. */
  void add(final Principal principal) {
    if (2 * (used + 1) > places.length) {
      rebuild();
    }
    put(places, principal);
    used++;
    size++;
  }

  /** Removes one that is there. For the writer. */
  void remove(final Principal principal) {
    final Id128 id = principal.id();
    final @Nullable Principal[] now = places;
    for (int i = placeOf(id.high(), id.low(), now.length); ; i = i + 1 & now.length - 1) {
      if (now[i] == principal) {
        PLACE.setRelease(now, i, REMOVED);
        size--;
        return;
      }
    }
  }

  /** Whether {@code test} holds for one of them; asks no more then. For the writer. */
  boolean any(final Predicate<Principal> test) {
    for (final Principal principal : places) {
      if (principal != null && principal != REMOVED && test.test(principal)) {
        return true;
      }
    }
    return false;
  }

  int size() {
    return size;
  }

  private void rebuild() {
    int capacity = FIRST_CAPACITY;
    while (capacity < 4 * (size + 1)) {
      capacity *= 2;
    }
    final @Nullable Principal[] before = places;
    final @Nullable Principal[] after = new Principal[capacity];
    used = 0;
    for (final Principal principal : before) {
      if (principal != null && principal != REMOVED) {
        put(after, principal);
        used++;
      }
    }
    places = after;
  }

  private static void put(final @Nullable Principal[] into, final Principal principal) {
    final Id128 id = principal.id();
    int i = placeOf(id.high(), id.low(), into.length);
    while (into[i] != null) {
      i = i + 1 & into.length - 1;
    }
    PLACE.setRelease(into, i, principal);
  }

  private static int placeOf(final long high, final long low, final int capacity) {
    final long mixed = (high ^ Long.rotateLeft(low, 32)) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & capacity - 1;
  }
}
