package io.tollgrid.grid.usage;

/**
 * A batch at rest. Immutable; not shared with callers.
 *
 * @param events the batch in its canonical form; empty once every event is classified
 * @param verdicts what is known of them
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody; as large as a batch
record InboxEntry(byte[] events, UsageVerdicts verdicts) {
  private static final byte[] NO_LONGER_NEEDED = {};

  static InboxEntry left(byte[] events, int count) {
    return new InboxEntry(events, UsageVerdicts.none(count));
  }

  InboxEntry with(int[] positions, byte[] known) {
    final UsageVerdicts next = verdicts.with(positions, known);
    return new InboxEntry(next.isComplete() ? NO_LONGER_NEEDED : events, next);
  }
}
