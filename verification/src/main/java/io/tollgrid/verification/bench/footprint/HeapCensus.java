package io.tollgrid.verification.bench.footprint;

import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What is reachable in this process, by class: the virtual machine's own count after a full
 * collection. Immutable.
 */
final class HeapCensus {
  /**
   * The objects of one class.
   *
   * @param instances how many
   * @param bytes their sizes, headers and padding included
   */
  record Row(long instances, long bytes) {
    static final Row NONE = new Row(0, 0);

    private Row minus(Row other) {
      return new Row(instances - other.instances, bytes - other.bytes);
    }
  }

  /** Two counts that differ by less than this are of the same heap. */
  private static final long SETTLED_BYTES = 16_384;

  private static final int MOST_COUNTS = 20;

  /** Long enough for the threads that run cleaners. */
  private static final long PAUSE_MILLIS = 200;

  private static final Pattern LINE =
      Pattern.compile("^\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*$", Pattern.MULTILINE);

  private final Map<String, Row> rows;

  private HeapCensus(Map<String, Row> rows) {
    this.rows = rows;
  }

  /**
   * Counts until two counts in a row agree: what is kept by a cleaner's queue, or compiled away,
   * goes first. Pauses the process each time.
   *
   * @throws IllegalStateException if the heap does not come to rest, or cannot be counted
   */
  static HeapCensus take() throws InterruptedException {
    HeapCensus before = count();
    for (int counts = 1; counts < MOST_COUNTS; counts++) {
      Thread.sleep(PAUSE_MILLIS);
      final HeapCensus now = count();
      if (Math.abs(now.bytes() - before.bytes()) < SETTLED_BYTES) {
        return now;
      }
      before = now;
    }
    throw new IllegalStateException(
        "the heap still changes after " + MOST_COUNTS + " full collections; is something running?");
  }

  private static HeapCensus count() {
    final Map<String, Row> rows = new HashMap<>();
    final Matcher line = LINE.matcher(histogram());
    while (line.find()) {
      rows.merge(
          line.group(3),
          new Row(Long.parseLong(line.group(1)), Long.parseLong(line.group(2))),
          (one, other) -> new Row(one.instances + other.instances, one.bytes + other.bytes));
    }
    return new HeapCensus(rows);
  }

  private static String histogram() {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException("this virtual machine does not count its heap", e);
    }
  }

  /** All of it. */
  long bytes() {
    return rows.values().stream().mapToLong(Row::bytes).sum();
  }

  /** Objects of exactly this class. */
  long instancesOf(Class<?> type) {
    return rows.getOrDefault(type.getName(), Row.NONE).instances();
  }

  /** What is here and was not in {@code other}. */
  HeapCensus minus(HeapCensus other) {
    final Map<String, Row> more = new HashMap<>();
    rows.forEach((name, row) -> more.put(name, row.minus(other.rows.getOrDefault(name, Row.NONE))));
    other.rows.forEach((name, row) -> more.putIfAbsent(name, Row.NONE.minus(row)));
    return new HeapCensus(more);
  }

  /** The classes that have most of the bytes, largest first. */
  Map<String, Row> largest(int howMany) {
    final Map<String, Row> largest = new LinkedHashMap<>();
    rows.entrySet().stream()
        .sorted(
            Comparator.comparingLong((Map.Entry<String, Row> entry) -> entry.getValue().bytes())
                .reversed())
        .limit(howMany)
        .forEach(entry -> largest.put(entry.getKey(), entry.getValue()));
    return largest;
  }
}
