package io.tollgrid.verification.faults.process;

import io.tollgrid.verification.faults.host.Host;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that this one started, with the same class path and the same module flags.
 *
 * <p>It talks in {@link Message}s: ours arrive on its standard input, its own leave on its standard
 * output; everything else it prints goes to a log file. It ends when its standard input does, so it
 * cannot outlive a run that was killed, unless it is frozen then. Thread-safe.
 */
public final class ChildJvm implements AutoCloseable {
  private static final String PARALLELISM =
      "-Djava.util.concurrent.ForkJoinPool.common.parallelism=";
  private static final String LOGGING = "io/tollgrid/verification/faults/logback.xml";
  private static final long DEATH_SECONDS = 20;

  private final String name;
  private final Process process;
  private final OutputStream input;

  /** Guarded by itself: the newest message of each kind. */
  private final Map<String, Message> newest = new HashMap<>();

  private boolean frozen;

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
    this.input = process.getOutputStream();
  }

  /** As {@link #start(String, Host, Class, List, String, Path)}, on this machine. */
  public static ChildJvm start(
      String name, Class<?> main, List<String> arguments, String heap, Path logs) {
    return start(name, Host.LOCAL, main, arguments, heap, logs);
  }

  /**
   * Starts a process.
   *
   * @param name what it is called here and in its log file's name
   * @param host where it runs
   * @param main its main class
   * @param arguments what main gets
   * @param heap its largest heap, as {@code -Xmx} takes it
   * @param logs the directory of its log file
   */
  public static ChildJvm start(
      String name, Host host, Class<?> main, List<String> arguments, String heap, Path logs) {
    final List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(inheritedFlags(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    command.add("-Xmx" + heap);
    command.add("-XX:+UseSerialGC");
    // Many are started and none lives long: what the second compiler does never pays.
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Dlogback.configurationFile=" + LOGGING);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    try {
      final Path log = logs.resolve(name + ".log");
      final ChildJvm child =
          new ChildJvm(
              name,
              new ProcessBuilder(host.command(command))
                  .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                  .start());
      final Thread reader = new Thread(() -> child.read(log), "read-" + name);
      reader.setDaemon(true);
      reader.start();
      return child;
    } catch (IOException e) {
      throw new UncheckedIOException("could not start " + name, e);
    }
  }

  /** The flags of this JVM that a child needs as well: modules, and the common pool's size. */
  static List<String> inheritedFlags(List<String> ours) {
    final List<String> flags = new ArrayList<>();
    for (final String flag : ours) {
      if (flag.startsWith("--") || flag.startsWith(PARALLELISM)) {
        flags.add(flag);
      }
    }
    if (flags.stream().noneMatch(flag -> flag.startsWith(PARALLELISM))) {
      flags.add(PARALLELISM + 4);
    }
    return flags;
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it has not ended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends it a message. A process that has ended hears nothing. */
  public void tell(Message message) {
    try {
      synchronized (input) {
        input.write((message.line() + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
      }
    } catch (IOException e) {
      if (process.isAlive()) {
        throw new UncheckedIOException(name + " cannot be told " + message, e);
      }
    }
  }

  /** The newest message of a kind, or null if there was none. */
  public @Nullable Message heard(String kind) {
    synchronized (newest) {
      return newest.get(kind);
    }
  }

  /**
   * Waits for a message.
   *
   * @param which whether a message of the kind is the one
   * @throws IllegalStateException if the process ends or the time is over first
   */
  public Message await(String kind, Predicate<Message> which, long seconds) {
    final long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    synchronized (newest) {
      while (true) {
        final Message message = newest.get(kind);
        if (message != null && which.test(message)) {
          return message;
        }
        final long leftNanos = untilNanos - System.nanoTime();
        if (leftNanos <= 0 || !process.isAlive()) {
          throw new IllegalStateException(
              name
                  + (process.isAlive() ? " did not say" : " ended before it said")
                  + " \""
                  + kind
                  + "\" within "
                  + seconds
                  + " s; see its log");
        }
        try {
          TimeUnit.NANOSECONDS.timedWait(newest, Math.min(leftNanos, 200_000_000L));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted while waiting for " + name, e);
        }
      }
    }
  }

  /** Freezes it. */
  public synchronized void freeze() {
    Signals.stop(pid());
    frozen = true;
  }

  /** Lets it go on. */
  public synchronized void thaw() {
    if (frozen && process.isAlive()) {
      Signals.proceed(pid());
    }
    frozen = false;
  }

  /** Kills it and waits until it is gone. */
  public void kill() {
    process.destroyForcibly();
    awaitDeath();
  }

  /** Waits until it has ended by itself, at most this long. */
  public boolean awaitEnd(long seconds) {
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Its exit status, once it has ended. */
  public int exitStatus() {
    return process.exitValue();
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }

  private void awaitDeath() {
    if (!awaitEnd(DEATH_SECONDS)) {
      throw new IllegalStateException(name + " (process " + pid() + ") survived being killed");
    }
  }

  private void read(Path log) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        final var message = Message.parse(line);
        if (message.isPresent()) {
          synchronized (newest) {
            newest.put(message.get().kind(), message.get());
            newest.notifyAll();
          }
        } else {
          Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
      }
    } catch (IOException e) {
      // The pipe of a killed process may break in the middle of a line; its death is seen
      // elsewhere.
      synchronized (newest) {
        newest.notifyAll();
      }
    }
  }
}
