package io.tollgrid.formal.tlc;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How one run of TLC ended. */
sealed interface TlcOutcome {
  /** States found, as far as the run came. */
  long states();

  /**
   * Every state was examined and every property holds.
   *
   * @param states distinct states
   * @param took how long it took, in TLC's words
   */
  record Complete(long states, String took) implements TlcOutcome {}

  /**
   * A property was seen to fail.
   *
   * @param states distinct states until then
   * @param property its name
   * @param output what TLC printed, with the trace
   */
  record Violated(long states, String property, String output) implements TlcOutcome {}

  /**
   * The run says nothing: the specification does not parse or evaluate, or TLC did not end.
   *
   * @param states distinct states until then
   * @param reason the first complaint
   * @param output what TLC printed
   */
  record Broken(long states, String reason, String output) implements TlcOutcome {}

  /**
   * Reads a run's output.
   *
   * @param exitCode TLC's exit code: 0 success, 12 and 13 a violation of safety or liveness
   * @param temporal the properties of the run's configuration; TLC does not say which of them a
   *     trace violates
   */
  static TlcOutcome read(int exitCode, String output, List<String> temporal) {
    final Matcher totals = Patterns.TOTALS.matcher(output);
    long states = 0;
    long left = 1;
    while (totals.find()) {
      states = number(totals.group(1));
      left = number(totals.group(2));
    }
    if (exitCode == 0 && left == 0 && output.contains(Patterns.SUCCESS)) {
      final Matcher took = Patterns.TOOK.matcher(output);
      return new Complete(states, took.find() ? took.group(1) : "?");
    }
    final Matcher violated = Patterns.VIOLATED.matcher(output);
    if ((exitCode == 12 || exitCode == 13) && violated.find()) {
      return new Violated(states, violated.group(1), output);
    }
    if (exitCode == 13 && output.contains(Patterns.TEMPORAL) && temporal.size() == 1) {
      return new Violated(states, temporal.get(0), output);
    }
    final Matcher complaint = Patterns.COMPLAINT.matcher(output);
    final String reason = complaint.find() ? complaint.group(1) : "TLC ended without a result";
    return new Broken(states, reason + " (exit code " + exitCode + ")", output);
  }

  private static long number(String grouped) {
    return Long.parseLong(grouped.replace(",", ""));
  }

  /** What TLC prints. */
  final class Patterns {
    private static final String SUCCESS = "Model checking completed. No error has been found.";
    private static final String TEMPORAL = "Error: Temporal properties were violated.";
    private static final Pattern TOTALS =
        Pattern.compile("([\\d,]+) distinct states found, ([\\d,]+) states left on queue");
    private static final Pattern TOOK = Pattern.compile("Finished in (.+?) at \\(");
    private static final Pattern VIOLATED =
        Pattern.compile("Error: (?:Invariant|Action property) (\\w+) is violated");
    private static final Pattern COMPLAINT =
        Pattern.compile("(?m)^(?:Error: )?(\\*\\*\\*.*|.*[Ee]rror.*)$");

    private Patterns() {}
  }
}
