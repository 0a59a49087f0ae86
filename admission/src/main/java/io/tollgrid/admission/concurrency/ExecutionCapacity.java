package io.tollgrid.admission.concurrency;

import io.tollgrid.ledger.CapacityClass;

/**
 * How many requests may run at once in this process (R31): a shared part for everyone, and a
 * reserve that only assured accounts may use once the shared part is full.
 *
 * <p>Fail-fast, no queue. A process without such a limit has no such object. Thread-safe,
 * lock-free.
 */
public final class ExecutionCapacity {
  /** The answer to a request for which there is no capacity. */
  public static final int SHED = -1;

  private static final int SHARED = 0;
  private static final int RESERVE = 1;

  private final ConcurrencyGauge shared = new ConcurrencyGauge();
  private final ConcurrencyGauge reserve = new ConcurrencyGauge();
  private final boolean reserved;

  private ExecutionCapacity(final long sharedRequests, final long reservedRequests) {
    if (sharedRequests < 1 || reservedRequests < 0) {
      throw new IllegalArgumentException(
          "an execution capacity of "
              + sharedRequests
              + " shared and "
              + reservedRequests
              + " reserved requests runs nothing; the shared part is at least 1");
    }
    shared.limit(sharedRequests);
    reserve.limit(reservedRequests);
    this.reserved = reservedRequests > 0;
  }

  /** The same capacity for everyone: {@code requests} at once, 1 or more. */
  public static ExecutionCapacity uniform(final long requests) {
    return new ExecutionCapacity(requests, 0);
  }

  /** {@code shared} at once for everyone, and {@code reserve} more for assured accounts. */
  public static ExecutionCapacity withReserve(final long shared, final long reserve) {
    return new ExecutionCapacity(shared, reserve);
  }

  /** Takes capacity, shared first; a token for {@link #leave}, or {@link #SHED}. */
  public int tryEnter(final CapacityClass capacityClass) {
    if (shared.tryEnter(0) != ConcurrencyGauge.REFUSED) {
      return SHARED;
    }
    return reserved
            && capacityClass == CapacityClass.ASSURED
            && reserve.tryEnter(0) != ConcurrencyGauge.REFUSED
        ? RESERVE
        : SHED;
  }

  /** Gives capacity back; {@code token} is good for one call. */
  public void leave(final int token) {
    (token == SHARED ? shared : reserve).leave(0);
  }

  /** Requests that ran a moment ago, of which assured ones on the reserve. */
  public long running() {
    return shared.running() + reserve.running();
  }
}
