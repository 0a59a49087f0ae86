package io.tollgrid.client;

import org.jspecify.annotations.Nullable;

/**
 * Makes equal values one object, as far as it remembers: every answer of the authority brings its
 * own, and most of them are equal. Confined to one thread.
 *
 * @param <T> immutable, and equal by contents
 */
final class SharedValues<T> {
  private static final int PLACES = 256;

  private final @Nullable Object[] places = new Object[PLACES];

  /** The object to keep for this value: one that was given before, or this. */
  @SuppressWarnings("unchecked") // Nothing but what came as a T is in a place.
  T of(final T value) {
    final int hash = value.hashCode();
    final int place = (hash ^ hash >>> 16) & PLACES - 1;
    if (value.equals(places[place])) {
      return (T) places[place];
    }
    places[place] = value;
    return value;
  }
}
