package io.tollgrid.verification.faults.ingest;

import io.tollgrid.verification.faults.process.ChildJvm;
import io.tollgrid.verification.faults.process.Message;
import io.tollgrid.verification.faults.run.Rig;
import io.tollgrid.verification.faults.run.Words;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The writers of a run, each started anew whenever it has ended. Used by one thread. */
final class WriterProcesses implements AutoCloseable {
  /** How many write at once. */
  static final int WRITERS = 3;

  private static final String HEAP = "320m";

  private final UsagePlan plan;
  private final Rig rig;
  private final Path directory;
  private final int[] starts = new int[WRITERS];
  private final @Nullable ChildJvm[] processes = new @Nullable ChildJvm[WRITERS];

  /** The last thing each start said, by its process's name. */
  private final Map<String, Message> said = new HashMap<>();

  private int unexpectedEnds;

  WriterProcesses(UsagePlan plan, Rig rig, Path directory) {
    this.plan = plan;
    this.rig = rig;
    this.directory = directory;
  }

  /** Starts one that does not run. */
  void start(int writer) {
    starts[writer]++;
    final List<String> arguments = new ArrayList<>();
    arguments.add(rig.cluster().name());
    arguments.add(directory.toString());
    arguments.add(Integer.toString(writer));
    arguments.add(Integer.toString(WRITERS));
    arguments.add(Integer.toString(starts[writer]));
    arguments.addAll(plan.words());
    arguments.addAll(rig.cluster().addresses());
    processes[writer] =
        ChildJvm.start(
            "writer-" + writer + "-" + starts[writer],
            UsageWriterProcess.class,
            arguments,
            HEAP,
            directory);
  }

  /** Kills one. Returns whether it had not finished. */
  boolean kill(int writer) {
    final ChildJvm process = processes[writer];
    if (process == null) {
      return false;
    }
    final boolean finished = hear(process);
    process.kill();
    return !finished;
  }

  /** Starts again what ended by itself. Returns whether all have delivered everything. */
  boolean finished() {
    boolean all = true;
    for (int writer = 0; writer < WRITERS; writer++) {
      final ChildJvm process = processes[writer];
      if (process != null) {
        all &= hear(process);
        if (!process.isAlive()) {
          unexpectedEnds++;
          start(writer);
        }
      }
    }
    return all;
  }

  private boolean hear(ChildJvm process) {
    final Message finished = process.heard(Words.FINISHED);
    final Message newest = finished == null ? process.heard(Words.STATUS) : finished;
    if (newest != null) {
      said.put(process.name(), newest);
    }
    return finished != null;
  }

  /** Deliveries with an answer. */
  long answered() {
    long answered = 0;
    for (int writer = 0; writer < WRITERS; writer++) {
      long most = 0;
      for (int start = 1; start <= starts[writer]; start++) {
        final Message last = said.get("writer-" + writer + "-" + start);
        most = Math.max(most, last == null ? 0 : last.number(UsageWriterProcess.ANSWERED));
      }
      answered += most;
    }
    return answered;
  }

  /** The sum of a count over all starts; what a kill left unsaid is missing. */
  long total(String count) {
    return said.values().stream().mapToLong(last -> last.number(count)).sum();
  }

  /** Writers that ended by themselves. */
  int unexpectedEnds() {
    return unexpectedEnds;
  }

  /** What every start was told. */
  List<Path> files() {
    final List<Path> files = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      for (int start = 1; start <= starts[writer]; start++) {
        final Path file = UsageWriterProcess.file(directory, writer, start);
        if (Files.exists(file)) {
          files.add(file);
        }
      }
    }
    return files;
  }

  @Override
  public void close() {
    for (final ChildJvm process : processes) {
      if (process != null) {
        process.close();
      }
    }
  }
}
