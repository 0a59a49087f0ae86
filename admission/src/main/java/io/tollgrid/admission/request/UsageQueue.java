package io.tollgrid.admission.request;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The usage slots of an instance: taken before a request is admitted, filled when it is settled,
 * emptied only by acknowledgement (R21, R22).
 *
 * <p>Any thread takes, records and gives back; one consumer polls and acknowledges, or one for each
 * lane. Nothing blocks. The slots are split into lanes, so that workers do not contend on one
 * stack; a worker whose lane is used up looks into the others before it is refused.
 */
public final class UsageQueue {
  /** A lane: the slots of it that are free, and those that are recorded. */
  private static final class Lane {
    final FreeSlots free;
    final RecordedSlots recorded;

    Lane(final int lane, final int size) {
      final @Nullable UsageSlot[] slots = new UsageSlot[size];
      free = new FreeSlots(lane, slots);
      recorded = new RecordedSlots(slots);
    }
  }

  private final Lane[] lanes;
  private final int capacity;
  private final Runnable consumer;

  /** Whether the consumer wants to be woken by the next record. */
  private volatile boolean consumerWaits;

  /** The consumer's own: where it polls next. */
  private final PaddedLong turn = new PaddedLong();

  /**
   * A queue.
   *
   * @param lanes 1 or more
   * @param slotsPerLane 1 or more
   * @param consumer woken by the first record after {@link #awaitRecord}; must not block
   */
  public UsageQueue(final int lanes, final int slotsPerLane, final Runnable consumer) {
    if (lanes < 1 || slotsPerLane < 1) {
      throw new IllegalArgumentException(
          "a usage queue needs at least one lane and one slot, not "
              + lanes
              + " of "
              + slotsPerLane);
    }
    this.lanes = new Lane[lanes];
    for (int lane = 0; lane < lanes; lane++) {
      this.lanes[lane] = new Lane(lane, slotsPerLane);
    }
    this.capacity = Math.multiplyExact(lanes, slotsPerLane);
    this.consumer = consumer;
  }

  // For requests

  /** The lane of a worker with this number. */
  int laneOf(final int worker) {
    return Math.floorMod(worker, lanes.length);
  }

  /** A free slot, from this lane if it has one; null if every lane is used up. */
  @Nullable UsageSlot take(final int home) {
    int lane = home;
    for (int i = 0; i < lanes.length; i++) {
      final UsageSlot slot = lanes[lane].free.pop();
      if (slot != null) {
        // Here and not where it is freed: the consumer only reads what a request has written.
        slot.clear();
        return slot;
      }
      lane = lane + 1 == lanes.length ? 0 : lane + 1;
    }
    return null;
  }

  /** Gives back a slot whose request was not charged. */
  void giveBack(final UsageSlot slot) {
    lanes[slot.lane()].free.push(slot.index());
  }

  /** Hands a settled slot to the consumer. */
  void record(final UsageSlot slot) {
    lanes[slot.lane()].recorded.offer(slot);
    if (consumerWaits) {
      consumerWaits = false;
      consumer.run();
    }
  }

  /** Every slot that was ever taken, whatever its phase. */
  void forEachSlot(final Consumer<UsageSlot> action) {
    for (final Lane lane : lanes) {
      lane.free.forEachMade(action);
    }
  }

  // For the consumer

  /** The next recorded slot, or null if there is none right now. Lanes take turns. */
  public @Nullable UsageSlot poll() {
    int lane = (int) turn.own();
    for (int i = 0; i < lanes.length; i++) {
      final UsageSlot slot = lanes[lane].recorded.poll();
      lane = lane + 1 == lanes.length ? 0 : lane + 1;
      if (slot != null) {
        turn.setRelease(lane);
        return slot;
      }
    }
    return null;
  }

  /** The next recorded slot of one lane, for consumers that have a lane each; null if none. */
  public @Nullable UsageSlot poll(final int lane) {
    return lanes[lane].recorded.poll();
  }

  /**
   * Frees a slot that was polled: every event of it has a durable, classified answer.
   *
   * @throws IllegalStateException if it was not polled, or was acknowledged before; nothing changed
   */
  public void acknowledge(final UsageSlot slot) {
    lanes[slot.lane()].recorded.acknowledge(slot);
    giveBack(slot);
  }

  /**
   * Frees {@code count} slots that were polled; those of one lane that follow each other go back at
   * once, so that requests and the consumer meet less often.
   *
   * @param slots in its first places, each once; the places are emptied
   * @throws IllegalStateException if one was not polled, or was acknowledged before; those before
   *     it are free then
   */
  public void acknowledge(final @Nullable UsageSlot[] slots, final int count) {
    int from = 0;
    while (from < count) {
      from = acknowledgeRun(slots, from, count);
    }
  }

  /** Frees the slots of one lane that follow each other; answers where the next lane's begin. */
  private int acknowledgeRun(final @Nullable UsageSlot[] slots, final int from, final int end) {
    final UsageSlot top = taken(slots, from);
    final Lane lane = lanes[top.lane()];
    lane.recorded.acknowledge(top);
    UsageSlot bottom = top;
    int to = from + 1;
    try {
      for (; to < end; to++) {
        final UsageSlot below = slots[to];
        if (below == null || below.lane() != top.lane()) {
          break;
        }
        lane.recorded.acknowledge(below);
        slots[to] = null;
        lane.free.link(bottom.index(), below.index());
        bottom = below;
      }
    } finally {
      lane.free.push(top.index(), bottom.index());
    }
    return to;
  }

  private static UsageSlot taken(final @Nullable UsageSlot[] slots, final int at) {
    final UsageSlot slot = slots[at];
    if (slot == null) {
      throw new IllegalArgumentException("there is no slot in place " + at);
    }
    slots[at] = null;
    return slot;
  }

  /*
   * A producer claims its place, then looks whether the consumer waits; the consumer says that it waits, then looks
   * whether a place was claimed. Both looks come after a full fence, so at least one of the two sees the other.
   */
  /**
   * Asks to be woken by the next record.
   *
   * @return false if a record has come, or is coming, already: poll instead of waiting
   */
  public boolean awaitRecord() {
    consumerWaits = true;
    for (final Lane lane : lanes) {
      if (lane.recorded.hasMore()) {
        consumerWaits = false;
        return false;
      }
    }
    return true;
  }

  // For anyone

  /** How many slots there can be. */
  public int capacity() {
    return capacity;
  }

  /** Settled requests that are not acknowledged yet. */
  public long depth() {
    long depth = 0;
    for (final Lane lane : lanes) {
      depth += lane.recorded.depth();
    }
    return depth;
  }

  /** Requests in this phase a moment ago; walks every slot. */
  private long count(final int phase) {
    final long[] found = {0};
    forEachSlot(slot -> found[0] += PhaseWord.phase(slot.word()) == phase ? 1 : 0);
    return found[0];
  }

  /** Requests that were admitted and have neither started nor ended. Walks every slot. */
  public long pendingRequests() {
    return count(PhaseWord.PENDING);
  }

  /** Requests that have started and are not settled. Walks every slot. */
  public long startedRequests() {
    return count(PhaseWord.STARTED);
  }
}
