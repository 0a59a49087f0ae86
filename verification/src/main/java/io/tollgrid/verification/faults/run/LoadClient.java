package io.tollgrid.verification.faults.run;

import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.grid.OperatorKey;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.node.operator.OperatorKeyFile;
import io.tollgrid.verification.faults.load.LoadPlan;
import io.tollgrid.verification.faults.load.LoadRunner;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.process.ParentLine;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Load from outside the grid, in a process of its own, through a Hazelcast client.
 *
 * <p>Arguments: the cluster's name, the operator's key file, and the addresses of the members.
 */
public final class LoadClient {
  private static final long STATUS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final ParentLine line;
  private final HazelcastInstance hazelcast;
  private final OperatorKey key;
  private volatile @Nullable LoadRunner load;

  private LoadClient(ParentLine line, HazelcastInstance hazelcast, OperatorKey key) {
    this.line = line;
    this.hazelcast = hazelcast;
    this.key = key;
  }

  /** Runs until it is told to leave. */
  public static void main(String[] arguments) {
    final ParentLine line = ParentLine.open();
    final List<String> words = List.of(arguments);
    final LoadClient self =
        new LoadClient(
            line,
            Connections.client(words.get(0), words.subList(2, words.size())),
            OperatorKeyFile.readOrCreate(Path.of(words.get(1))).key());
    line.listen(self::hear);
    self.report();
  }

  private void hear(Message message) {
    switch (message.kind()) {
      case Words.LOAD -> {
        final LoadRunner runner =
            new LoadRunner(LoadPlan.of(message.fields()), hazelcast, key, new SystemClock());
        load = runner;
        runner.start();
      }
      case Words.FINISH -> {
        final Thread finishing = new Thread(this::finish, "finish");
        finishing.setDaemon(true);
        finishing.start();
      }
      case Words.LEAVE -> Runtime.getRuntime().halt(0);
      default -> System.err.println("nobody knows what to do about " + message);
    }
  }

  private void finish() {
    final LoadRunner runner = load;
    if (runner != null && !runner.finish()) {
      System.err.println("some callers did not end");
    }
    line.say(
        runner == null ? Message.of(Words.FINISHED) : new Message(Words.FINISHED, runner.counts()));
  }

  private void report() {
    while (true) {
      final LoadRunner runner = load;
      line.say(
          runner == null ? Message.of(Words.STATUS) : new Message(Words.STATUS, runner.counts()));
      LockSupport.parkNanos(STATUS_NANOS);
    }
  }
}
