package io.tollgrid.node.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.node.usage.LineFault;
import io.tollgrid.node.usage.UsageLoad;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a load says what it did not accept: the first few lines to the person, all of them to a
 * file. Not thread-safe.
 */
final class FaultReport implements UsageLoad.Listener, AutoCloseable {
  private static final int SHOWN = 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final PrintWriter err;
  private final Progress progress;
  private final @Nullable BufferedWriter file;
  private long faults;

  private FaultReport(PrintWriter err, @Nullable BufferedWriter file) {
    this.err = err;
    this.progress = new Progress(err, new SystemClock());
    this.file = file;
  }

  /**
   * Begins one.
   *
   * @param file created, or overwritten; null for none
   * @throws CommandFailure if the file cannot be written
   */
  static FaultReport open(@Nullable Path file, PrintWriter err) {
    try {
      return new FaultReport(err, file == null ? null : Files.newBufferedWriter(file));
    } catch (IOException e) {
      throw new CommandFailure("--errors " + file + " cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void fault(LineFault fault) {
    faults++;
    if (faults <= SHOWN) {
      err.println("tollgrid: " + fault);
    } else if (faults == SHOWN + 1) {
      err.println(
          "tollgrid: more lines were not accepted; "
              + (file == null
                  ? "--errors FILE names them all"
                  : "the file of errors has them all"));
    }
    err.flush();
    if (file != null) {
      try {
        file.write(JSON.writeValueAsString(fault));
        file.newLine();
      } catch (IOException e) {
        throw new CommandFailure("the file of errors cannot be written: " + e.getMessage(), e);
      }
    }
  }

  @Override
  public void read(long lines) {
    progress.say(() -> lines + " lines read");
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
