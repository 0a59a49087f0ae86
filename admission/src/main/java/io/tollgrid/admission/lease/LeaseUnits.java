package io.tollgrid.admission.lease;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The free units of one lease: the words that requests of an account contend on.
 *
 * <p>Units leave by {@link #tryDebit} (a request reserves them) or {@link #drain} (the owner takes
 * them back to the ledger) and return by {@link #credit} (a request was cancelled, or settled below
 * its reservation). For a lease granted {@code g} units, at every instant:
 *
 * <pre>free + held by requests + drained = g</pre>
 *
 * <p>Thread-safe and lock-free; every method completes in a bounded number of steps of its own plus
 * one per concurrent success. No method allocates, reads a clock or knows when the lease expires:
 * {@link HeldLease} asks that first (R13).
 */
public final class LeaseUnits {
  /*
   * Why one word. A separate "closed" flag beside the counter would leave a window in which a debit passes the flag,
   * the owner drains, and the debit then takes units that are already on their way to the ledger. Folding both into
   * one word makes drain and debit race on a single compare-and-set, so exactly one of them gets each unit (R2).
   *
   *   word >= 0   open, `word` units free
   *   word <  0   closed, `word & MAX_VALUE` units free: nothing can be debited, credits still collect
   *
   * Closing is one-way. A closed lease keeps collecting what running work gives back, until its owner has drained
   * the last of it.
   *
   * Shards. A hot lease may be split into several such words, a pair of cache lines apart. A debit tries its own shard,
   * then each of the others as a whole, and last collects fragments from all (R2). Two that collect at once would hold
   * from each other what either needs; so one collects at a time, and another is told that it met one: CONTENDED, which
   * proves nothing about the units. What was collected in vain goes back to one shard, whose it was does not matter.
   *
   * Memory order: the words carry no other data with them, so plain compare-and-set is enough; readers that only report
   * use opaque reads and may see a value that was true a moment ago.
   */
  private static final long CLOSED = Long.MIN_VALUE;

  /**
   * Words from one shard to the next, and before the first, where the array's length is, which
   * every debit reads: no two share a pair of cache lines.
   */
  private static final int STRIDE = 16;

  /** The answer of a debit that took nothing, because there are not as many units. */
  public static final long REFUSED = -1;

  /** The answer of a debit that took nothing, because another was collecting fragments. */
  public static final long CONTENDED = -2;

  private static final VarHandle WORD;
  private static final VarHandle COLLECTING;
  private static final VarHandle SHARD = MethodHandles.arrayElementVarHandle(long[].class);

  static {
    try {
      final MethodHandles.Lookup lookup = MethodHandles.lookup();
      WORD = lookup.findVarHandle(LeaseUnits.class, "word", long.class);
      COLLECTING = lookup.findVarHandle(LeaseUnits.class, "collecting", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long grantedUnits;

  /** The only word, unless there are shards. */
  private volatile long word;

  private final long @Nullable [] shards;
  private volatile boolean collecting;

  /** A lease of {@code grantedUnits} in one word, all free. Refuses a negative grant. */
  public LeaseUnits(final long grantedUnits) {
    this(grantedUnits, 1);
  }

  /**
   * A lease of {@code grantedUnits}, all free, split evenly.
   *
   * @param grantedUnits 0 or more
   * @param shardCount 1 or more
   */
  public LeaseUnits(final long grantedUnits, final int shardCount) {
    if (grantedUnits < 0 || shardCount < 1) {
      throw new IllegalArgumentException(
          "a lease cannot be granted " + grantedUnits + " units in " + shardCount + " shards");
    }
    this.grantedUnits = grantedUnits;
    if (shardCount == 1) {
      this.shards = null;
      this.word = grantedUnits;
    } else {
      this.shards = new long[(shardCount + 1) * STRIDE];
      for (int shard = 0; shard < shardCount; shard++) {
        shards[(shard + 1) * STRIDE] = ShardArithmetic.share(grantedUnits, shardCount, shard);
      }
    }
  }

  /** Units granted. */
  long grantedUnits() {
    return grantedUnits;
  }

  /** Takes {@code units} as the first shard's neighbour would; see {@link #tryDebit(long, int)}. */
  public long tryDebit(final long units) {
    return tryDebit(units, 0);
  }

  /**
   * Takes {@code units} for one request, all or none.
   *
   * @param units 0 or more
   * @param stripe any number; the caller's own shard follows from it
   * @return 0 or more if they were taken: the units left free in the shards that were touched, all
   *     of them if there is one; {@link #REFUSED} if fewer than {@code units} were free or the
   *     lease is closed, {@link #CONTENDED} if another debit may have hidden them
   */
  public long tryDebit(final long units, final int stripe) {
    assert units >= 0 : units;
    final long[] many = shards;
    if (many != null) {
      return tryDebit(many, units, stripe);
    }
    for (long seen = word; seen >= units; seen = word) {
      if (WORD.compareAndSet(this, seen, seen - units)) {
        return seen - units;
      }
      Thread.onSpinWait();
    }
    return REFUSED;
  }

  private long tryDebit(final long[] many, final long units, final int stripe) {
    final int count = shards();
    final int own = ownShard(many, stripe);
    int shard = own;
    for (int i = 0; i < count; i++) {
      for (long seen = (long) SHARD.getVolatile(many, shard);
          seen >= units;
          seen = (long) SHARD.getVolatile(many, shard)) {
        if (SHARD.compareAndSet(many, shard, seen, seen - units)) {
          return seen - units;
        }
        Thread.onSpinWait();
      }
      shard = shard + STRIDE == many.length ? STRIDE : shard + STRIDE;
    }
    return units == 0 ? REFUSED : collect(many, units, own);
  }

  private long collect(final long[] many, final long units, final int own) {
    if (collecting || !COLLECTING.compareAndSet(this, false, true)) {
      return CONTENDED;
    }
    long missing = units;
    for (int shard = STRIDE; shard < many.length && missing > 0; shard += STRIDE) {
      for (long seen = (long) SHARD.getVolatile(many, shard);
          seen > 0;
          seen = (long) SHARD.getVolatile(many, shard)) {
        final long taken = Math.min(seen, missing);
        if (SHARD.compareAndSet(many, shard, seen, seen - taken)) {
          missing -= taken;
          break;
        }
        Thread.onSpinWait();
      }
    }
    if (missing > 0 && missing < units) {
      final var unused = credit(units - missing, own / STRIDE - 1);
    }
    collecting = false;
    return missing > 0 ? REFUSED : 0;
  }

  /** Gives units back; see {@link #credit(long, int)}. */
  public boolean credit(final long units) {
    return credit(units, 0);
  }

  /**
   * Gives back units that an earlier {@link #tryDebit} took, also after the lease was closed.
   *
   * @param units 0 or more
   * @param stripe any number; the caller's own shard follows from it
   * @return whether the lease is closed, so that only its owner can make use of them
   * @throws IllegalStateException if more would be free than were ever granted: the caller returned
   *     units twice, and its accounting can no longer be trusted (R36)
   */
  public boolean credit(final long units, final int stripe) {
    assert units >= 0 : units;
    final long[] many = shards;
    final int own = many == null ? STRIDE : ownShard(many, stripe);
    for (long seen = get(own); ; seen = get(own)) {
      final long free = (seen & ~CLOSED) + units;
      if (free < 0 || free > grantedUnits) {
        throw new IllegalStateException(
            "crediting "
                + units
                + " units would leave more free than the "
                + grantedUnits
                + " granted");
      }
      if (compareAndSet(own, seen, free | (seen & CLOSED))) {
        return seen < 0;
      }
      Thread.onSpinWait();
    }
  }

  /**
   * Takes every free unit for the ledger, leaving open what was open. Returns how many, maybe 0.
   */
  public long drain() {
    long drained = 0;
    for (int shard = STRIDE; shard < words(); shard += STRIDE) {
      for (long seen = get(shard); ; seen = get(shard)) {
        if (compareAndSet(shard, seen, seen & CLOSED)) {
          drained += seen & ~CLOSED;
          break;
        }
        Thread.onSpinWait();
      }
    }
    return drained;
  }

  /** Refuses every later debit. Idempotent; credits still collect. */
  public void close() {
    for (int shard = STRIDE; shard < words(); shard += STRIDE) {
      for (long seen = get(shard); seen >= 0; seen = get(shard)) {
        if (compareAndSet(shard, seen, seen | CLOSED)) {
          break;
        }
        Thread.onSpinWait();
      }
    }
  }

  /** Whether debits are refused for good. */
  public boolean isClosed() {
    return get(STRIDE) < 0;
  }

  /** Free units a moment ago, for low-water checks and reports; decides nothing. */
  public long freeUnitsOpaque() {
    final long[] many = shards;
    if (many == null) {
      return (long) WORD.getOpaque(this) & ~CLOSED;
    }
    long free = 0;
    for (int shard = STRIDE; shard < many.length; shard += STRIDE) {
      free += (long) SHARD.getOpaque(many, shard) & ~CLOSED;
    }
    return free;
  }

  /** Into how many words it is split. */
  public int shards() {
    return shards == null ? 1 : shards.length / STRIDE - 1;
  }

  private int words() {
    return shards == null ? STRIDE + 1 : shards.length;
  }

  private static int ownShard(final long[] many, final int stripe) {
    return (Math.floorMod(stripe, many.length / STRIDE - 1) + 1) * STRIDE;
  }

  private long get(final int shard) {
    final long[] many = shards;
    return many == null ? word : (long) SHARD.getVolatile(many, shard);
  }

  private boolean compareAndSet(final int shard, final long seen, final long next) {
    final long[] many = shards;
    return many == null
        ? WORD.compareAndSet(this, seen, next)
        : SHARD.compareAndSet(many, shard, seen, next);
  }
}
