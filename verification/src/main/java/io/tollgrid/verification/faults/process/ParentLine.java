package io.tollgrid.verification.faults.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * A child's side of the conversation: it takes standard output for itself, and ends the process
 * when standard input ends. Thread-safe.
 */
public final class ParentLine {
  private static final int ORPHANED = 3;

  private final PrintStream out;

  private ParentLine(PrintStream out) {
    this.out = out;
  }

  /** Takes standard output; whatever else prints to it afterwards goes to standard error. */
  public static ParentLine open() {
    final PrintStream out = System.out;
    System.setOut(System.err);
    return new ParentLine(out);
  }

  /** Says something. */
  public void say(Message message) {
    synchronized (out) {
      out.println(message.line());
      out.flush();
    }
  }

  /** Hands each message that arrives to {@code listener}, on a thread of its own, until the end. */
  public void listen(Consumer<Message> listener) {
    final Thread thread =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  Message.parse(line).ifPresent(listener);
                }
              } catch (IOException e) {
                System.err.println("the line to the parent broke: " + e.getMessage());
              }
              Runtime.getRuntime().halt(ORPHANED);
            },
            "parent-line");
    thread.setDaemon(true);
    thread.start();
  }
}
