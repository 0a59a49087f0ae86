package io.tollgrid.verification.bench.admission;

import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.lease.LeaseSlot;
import io.tollgrid.ledger.Id128;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** P2: units taken from an account's current lease and given back, on one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LeaseBenchmark {
  private final LeaseSlot slot = leased();
  private long nowNanos;

  /** A debit with its check of the deadline and the low-water mark, and the refund. */
  @Benchmark
  public boolean debitAndRefund() {
    final @Nullable HeldLease lease = slot.tryDebit(KernelFixture.UNITS, 0, ++nowNanos);
    if (lease == null) {
      return false;
    }
    slot.credit(lease, KernelFixture.UNITS, 0);
    return true;
  }

  private static LeaseSlot leased() {
    final LeaseSlot slot = new LeaseSlot(() -> {});
    slot.replace(new HeldLease(new Id128(1, 1), 1, 1L << 50, Long.MAX_VALUE, 0, 1));
    return slot;
  }
}
