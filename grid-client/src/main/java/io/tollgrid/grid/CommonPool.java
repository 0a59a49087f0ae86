package io.tollgrid.grid;

import java.util.concurrent.ForkJoinPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The JVM's common pool, on which the grid completes its answers. */
public final class CommonPool {
  private static final Logger LOG = LoggerFactory.getLogger(CommonPool.class);

  private CommonPool() {}

  /** Warns of a pool so small that the JDK does without it: on two cores, by default. */
  public static void warnIfOneThreaded() {
    if (ForkJoinPool.getCommonPoolParallelism() < 2) {
      LOG.warn(
          "the common pool has one thread, so every completion starts a thread and ledgers run"
              + " several times slower; start Java with"
              + " -Djava.util.concurrent.ForkJoinPool.common.parallelism=4");
    }
  }
}
