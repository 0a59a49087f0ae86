package io.tollgrid.grid.usage;

import io.tollgrid.ledger.UsageVerdict;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is known of each event of a batch. Immutable. */
public final class UsageVerdicts {
  private static final UsageVerdict[] CONSTANTS = UsageVerdict.values();

  /** Of each event 0, or the place of its verdict from 1. */
  private final byte[] places;

  private final int known;

  private UsageVerdicts(byte[] places) {
    this.places = places;
    int count = 0;
    for (final byte place : places) {
      if (place < 0 || place > CONSTANTS.length) {
        throw new IllegalArgumentException("no verdict has the place " + place);
      }
      count += place == 0 ? 0 : 1;
    }
    this.known = count;
  }

  /** Nothing is known of so many events. */
  public static UsageVerdicts none(int events) {
    return new UsageVerdicts(new byte[events]);
  }

  /**
   * Reads {@link #toBytes}.
   *
   * @throws IllegalArgumentException if a byte is no verdict this build knows
   */
  static UsageVerdicts of(byte[] bytes) {
    return new UsageVerdicts(bytes.clone());
  }

  /** One byte per event. */
  byte[] toBytes() {
    return places.clone();
  }

  /** How many events there are. */
  public int size() {
    return places.length;
  }

  /** How many of them are classified. */
  public int known() {
    return known;
  }

  /** Whether all are classified. */
  public boolean isComplete() {
    return known == places.length;
  }

  /** The classification of an event, or null. */
  public @Nullable UsageVerdict get(int position) {
    final byte place = places[position];
    return place == 0 ? null : CONSTANTS[place - 1];
  }

  /** The same where one more event is classified; what was known of it before stays. */
  public UsageVerdicts with(int position, UsageVerdict verdict) {
    return with(new int[] {position}, new byte[] {placeOf(verdict)});
  }

  /** What the events at {@code positions} are classified as; what was known before stays. */
  UsageVerdicts with(int[] positions, byte[] verdicts) {
    final byte[] next = places.clone();
    for (int i = 0; i < positions.length; i++) {
      if (next[positions[i]] == 0) {
        next[positions[i]] = verdicts[i];
      }
    }
    return new UsageVerdicts(next);
  }

  /**
   * The same with what another copy knows of the other events; what was known before stays.
   *
   * @throws IllegalArgumentException if it is of another number of events
   */
  public UsageVerdicts and(UsageVerdicts other) {
    if (other.size() != size()) {
      throw new IllegalArgumentException(other + " says nothing about " + this);
    }
    final byte[] next = places.clone();
    for (int i = 0; i < next.length; i++) {
      if (next[i] == 0) {
        next[i] = other.places[i];
      }
    }
    return new UsageVerdicts(next);
  }

  /** How a verdict is written. */
  @SuppressWarnings("EnumOrdinal") // the order of the constants is part of stored forms
  static byte placeOf(UsageVerdict verdict) {
    return (byte) (verdict.ordinal() + 1);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UsageVerdicts verdicts && Arrays.equals(places, verdicts.places);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(places);
  }

  @Override
  public String toString() {
    return known + " of " + places.length + " classified";
  }
}
