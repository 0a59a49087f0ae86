package io.tollgrid.verification.bench.start;

import io.tollgrid.node.local.LocalSystem;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.process.ParentLine;
import io.tollgrid.verification.faults.run.Words;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A process that starts a system on data that is there, says how long that took, and stops it once
 * it is told to leave.
 *
 * <p>Argument: the directory of the data.
 */
public final class ColdStart {
  /** What it says once the system is ready. */
  static final String READY = "ready";

  /** Milliseconds from the start of the process to a system that is ready. */
  static final String MILLIS = "millis";

  private ColdStart() {}

  /** Runs until it is told to leave. */
  public static void main(String[] arguments) throws InterruptedException {
    final ParentLine line = ParentLine.open();
    final CountDownLatch leave = new CountDownLatch(1);
    try (LocalSystem system = LocalSystem.in(Path.of(arguments[0]))) {
      final long millis =
          System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
      line.listen(
          message -> {
            if (message.kind().equals(Words.LEAVE)) {
              leave.countDown();
            }
          });
      line.say(
          new Message(
              READY,
              Map.of(MILLIS, Long.toString(system.node().ready() ? millis : Long.MAX_VALUE))));
      leave.await();
    }
    Runtime.getRuntime().halt(0);
  }
}
