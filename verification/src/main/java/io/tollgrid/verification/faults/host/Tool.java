package io.tollgrid.verification.faults.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Programs of the machine that are run to their end. */
final class Tool {
  private static final long PATIENCE_SECONDS = 60;

  private Tool() {}

  /**
   * Runs a program and returns what it printed.
   *
   * @throws ToolException if it fails, does not end, or is not there
   */
  static String run(List<String> command) {
    try {
      final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      final String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new ToolException(String.join(" ", command) + " failed: " + said.strip(), null);
      }
      return said;
    } catch (IOException e) {
      throw new ToolException(command.get(0) + " cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while running " + command.get(0), e);
    }
  }

  /** A program did not do what it was run for: this machine does not let it, or has none. */
  static final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ToolException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
