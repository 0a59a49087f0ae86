package io.tollgrid.admission.concurrency;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Counts what runs at once, and keeps it at or below a ceiling if there is one (R30).
 *
 * <p>Exact under any interleaving: as long as the ceiling stands, no one enters while the ceiling
 * is reached. Work that runs when a ceiling is set counts and is left alone. Thread-safe,
 * lock-free.
 */
public final class ConcurrencyGauge {
  /*
   * Design.
   *
   * One word counts, and a ceiling is checked by the compare-and-set that raises it. The ceiling is not in that word; so
   * the word's upper half numbers its changes and the ceiling's, and a decision stands only if there was none from before
   * the ceiling was read until it was made. Otherwise one who read an old ceiling could enter under a new one that is
   * reached, and one who saw work that has left since be refused by a ceiling that came after it.
   *
   * Hand-off. A gauge made for many threads counts in stripes until it first gets a ceiling, so that they do not
   * contend on a word nobody compares. From then on it counts in the one word, for good. Who enters a stripe looks again
   * whether stripes are in use: raising a stripe and that look, and the publisher's write and every look at the stripes
   * after it, are totally ordered, so either the entrant sees the hand-off and takes back its stripe, or whoever compares
   * with the ceiling sees the stripe. Stripes only fall after the hand-off but for entrants that are taking theirs
   * back, so the sum can refuse a moment too long and never admit one too many.
   */

  /** The answer to an entrant that would exceed the ceiling. */
  public static final int REFUSED = -1;

  /** The token of one who entered the one word. */
  private static final int COUNTED = 0;

  /**
   * Words from one stripe to the next, and before the first, where the array's length is: no two
   * share a pair of cache lines.
   */
  private static final int STRIDE = 16;

  /** The lower half of the word counts what runs, the upper half numbers the changes. */
  private static final long RUNNING_MASK = 0xFFFF_FFFFL;

  private static final long CHANGE = 1L << 32;
  private static final long ENTER = CHANGE + 1;
  private static final long LEAVE = CHANGE - 1;

  private static final VarHandle WORD;
  private static final VarHandle STRIPE = MethodHandles.arrayElementVarHandle(long[].class);

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(ConcurrencyGauge.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Instead of a ceiling, until there is a first one: what enters is counted in stripes. */
  private static final long STRIPED = -1;

  private final long @Nullable [] stripes;

  /** The ceiling, 0 for none. */
  private volatile long ceiling;

  private volatile long word;

  /** A gauge that counts in one word, without a ceiling. */
  public ConcurrencyGauge() {
    this(1);
  }

  /**
   * A gauge without a ceiling.
   *
   * @param stripes in how many it counts until it has a ceiling, 1 or more
   */
  public ConcurrencyGauge(final int stripes) {
    if (stripes < 1) {
      throw new IllegalArgumentException("a gauge has at least one stripe, not " + stripes);
    }
    this.stripes = stripes == 1 ? null : new long[(stripes + 1) * STRIDE];
    this.ceiling = stripes == 1 ? 0 : STRIPED;
  }

  /**
   * Sets the ceiling.
   *
   * @param newCeiling how much may run at once, 0 for no ceiling; what runs already counts
   */
  public void limit(final long newCeiling) {
    if (newCeiling < 0) {
      throw new IllegalArgumentException("a ceiling cannot be " + newCeiling);
    }
    if (newCeiling > 0 || ceiling != STRIPED) {
      ceiling = newCeiling;
    }
    // Whoever read the word before, and with it an older ceiling, does not enter by it any more.
    WORD.getAndAdd(this, CHANGE);
  }

  /** The ceiling in force, 0 for none. */
  public long ceiling() {
    return Math.max(0, ceiling);
  }

  /**
   * Enters, if the ceiling allows it.
   *
   * @param stripe any number; callers that keep theirs apart do not contend
   * @return a token for {@link #leave}, or {@link #REFUSED}
   */
  public int tryEnter(final int stripe) {
    final long[] many = stripes;
    if (many != null && ceiling == STRIPED) {
      final int own = Math.floorMod(stripe, many.length / STRIDE - 1) + 1;
      STRIPE.getAndAdd(many, own * STRIDE, 1L);
      if (ceiling == STRIPED) {
        return own;
      }
      STRIPE.getAndAdd(many, own * STRIDE, -1L);
    }
    while (true) {
      final long seen = word;
      final long most = ceiling;
      final boolean full = most > 0 && (seen & RUNNING_MASK) + striped(many) >= most;
      if (full && word == seen) {
        return REFUSED;
      }
      if (!full && WORD.compareAndSet(this, seen, seen + ENTER)) {
        return COUNTED;
      }
      Thread.onSpinWait();
    }
  }

  /** Leaves; {@code token} is what {@link #tryEnter} answered, and good for one call. */
  public void leave(final int token) {
    final long[] many = stripes;
    if (token == COUNTED || many == null) {
      if (((long) WORD.getAndAdd(this, LEAVE) & RUNNING_MASK) == 0) {
        WORD.getAndAdd(this, ENTER);
        throw leftTwice();
      }
    } else if ((long) STRIPE.getAndAdd(many, token * STRIDE, -1L) < 1) {
      STRIPE.getAndAdd(many, token * STRIDE, 1L);
      throw leftTwice();
    }
  }

  private static IllegalStateException leftTwice() {
    return new IllegalStateException("more has left a concurrency gauge than had entered it");
  }

  /** How much ran a moment ago. */
  public long running() {
    return (word & RUNNING_MASK) + striped(stripes);
  }

  private static long striped(final long @Nullable [] many) {
    long sum = 0;
    for (int i = STRIDE; many != null && i < many.length; i += STRIDE) {
      sum += (long) STRIPE.getVolatile(many, i);
    }
    return sum;
  }
}
