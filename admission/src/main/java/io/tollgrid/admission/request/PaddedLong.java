package io.tollgrid.admission.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A long that shares no pair of cache lines with anything that is written: two threads that each
 * have one of their own never wait for each other's line.
 */
@SuppressWarnings("unused")
final class PaddedLong extends PaddedWord {
  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(PaddedWord.class, "word", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  long after00;
  long after01;
  long after02;
  long after03;
  long after04;
  long after05;
  long after06;
  long after07;
  long after08;
  long after09;
  long after10;
  long after11;
  long after12;
  long after13;
  long after14;

  long get() {
    return word;
  }

  boolean compareAndSet(final long seen, final long next) {
    return WORD.compareAndSet(this, seen, next);
  }

  long getAndAdd(final long more) {
    return (long) WORD.getAndAdd(this, more);
  }

  /** For the only thread that writes it: what it wrote last. */
  long own() {
    return (long) WORD.get(this);
  }

  /** For the only thread that writes it: others see it, and what was written before it, soon. */
  void setRelease(final long next) {
    WORD.setRelease(this, next);
  }
}
