package io.tollgrid.verification.faults.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Signals to processes that this one started, by process id; nothing is ever chosen by name. */
public final class Signals {
  private static final long PATIENCE_SECONDS = 10;

  private Signals() {}

  /** Freezes a process: it keeps its memory, its sockets and its locks, and does nothing. */
  public static void stop(long pid) {
    send("-STOP", pid);
  }

  /** Lets a frozen process go on as if no time had passed. */
  public static void proceed(long pid) {
    send("-CONT", pid);
  }

  /** Ends a process at once, frozen or not. */
  public static void kill(long pid) {
    send("-KILL", pid);
  }

  private static void send(String signal, long pid) {
    try {
      final Process kill =
          new ProcessBuilder(List.of("kill", signal, Long.toString(pid)))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!kill.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new IllegalStateException("process " + pid + " did not take the signal " + signal);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while signalling process " + pid, e);
    }
  }
}
