package io.tollgrid.verification.faults.regression;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A place where one thread waits until another lets it pass, and can be seen to have arrived. */
final class Latch {
  private final CountDownLatch arrived;
  private final CountDownLatch open = new CountDownLatch(1);

  /** A latch at which so many must arrive before {@link #awaitArrivals} returns. */
  Latch(int arrivals) {
    arrived = new CountDownLatch(arrivals);
  }

  /** Arrives and waits, however often it is interrupted; leaves with the flag as it was. */
  void pass() {
    arrived.countDown();
    boolean interrupted = false;
    while (true) {
      try {
        open.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  void awaitArrivals() throws InterruptedException {
    if (!arrived.await(RegressionGrid.PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError(arrived.getCount() + " did not arrive");
    }
  }

  void open() {
    open.countDown();
  }
}
