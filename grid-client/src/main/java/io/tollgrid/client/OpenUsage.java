package io.tollgrid.client;

/** Events without an answer, counted for a report. Confined to the instance's thread. */
final class OpenUsage {
  long lostEvents;
  long lostUnits;
  long unresolvedEvents;
  long unresolvedUnits;

  void add(final long units, final boolean sent) {
    if (sent) {
      unresolvedEvents++;
      unresolvedUnits = Math.addExact(unresolvedUnits, units);
    } else {
      lostEvents++;
      lostUnits = Math.addExact(lostUnits, units);
    }
  }
}
