package io.tollgrid.ledger;

import java.util.List;

/**
 * Denials that one instance reports together; reporting them again changes nothing (R50).
 *
 * @param writer the process start that counted them
 * @param number of this report at that writer, from 1
 * @param minutes 1 to {@value #MAX_MINUTES}
 */
public record DenialReport(Id128 writer, long number, List<DenialMinute> minutes) {
  /** Entries of one report. */
  public static final int MAX_MINUTES = 512;

  /** Refuses an empty report and one that is too long. */
  public DenialReport {
    minutes = List.copyOf(minutes);
    if (number < 1 || minutes.isEmpty() || minutes.size() > MAX_MINUTES) {
      throw new IllegalArgumentException(
          "report " + number + " has " + minutes.size() + " minutes, not 1 to " + MAX_MINUTES);
    }
  }
}
