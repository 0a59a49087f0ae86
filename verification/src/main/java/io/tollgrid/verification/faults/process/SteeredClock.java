package io.tollgrid.verification.faults.process;

import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The machine's clock, which can be put forward and back. Thread-safe. */
public final class SteeredClock implements LedgerClock {
  /** The kind of the message that sets a process's clock. */
  public static final String CLOCK = "clock";

  private static final String OFF_MILLIS = "off-millis";

  private final LedgerClock machine = new SystemClock();
  private volatile long offNanos;

  /** The message after which a clock is ahead of the machine's by so much; behind, if negative. */
  public static Message off(long millis) {
    return new Message(CLOCK, Map.of(OFF_MILLIS, Long.toString(millis)));
  }

  /** Does what the message says. */
  public void heed(Message message) {
    offNanos = TimeUnit.MILLISECONDS.toNanos(message.number(OFF_MILLIS));
  }

  @Override
  public long nowNanos() {
    return Math.addExact(machine.nowNanos(), offNanos);
  }
}
