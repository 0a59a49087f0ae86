package io.tollgrid.verification.faults.process;

import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One line between a run and one of its processes: {@code @kind name=value …}. Values hold no
 * spaces.
 *
 * @param kind what it says
 * @param fields its values by name
 */
public record Message(String kind, Map<String, String> fields) {
  private static final String MARK = "@";

  /** Refuses what could not be read back. */
  public Message {
    fields = new TreeMap<>(fields);
    if (kind.isEmpty() || kind.indexOf(' ') >= 0) {
      throw new IllegalArgumentException("\"" + kind + "\" is no kind of message");
    }
    for (final Map.Entry<String, String> field : fields.entrySet()) {
      if (field.getKey().matches(".*[ =\\n].*") || field.getValue().matches(".*[ \\n].*")) {
        throw new IllegalArgumentException("a message cannot carry " + field);
      }
    }
  }

  /** A message without values. */
  public static Message of(String kind) {
    return new Message(kind, Map.of());
  }

  /** Reads a line; empty if it is no message but something a library printed. */
  public static Optional<Message> parse(String line) {
    if (!line.startsWith(MARK)) {
      return Optional.empty();
    }
    final StringTokenizer words = new StringTokenizer(line.substring(MARK.length()), " ");
    if (!words.hasMoreTokens()) {
      return Optional.empty();
    }
    final String kind = words.nextToken();
    final Map<String, String> fields = new TreeMap<>();
    while (words.hasMoreTokens()) {
      final String field = words.nextToken();
      final int equals = field.indexOf('=');
      if (equals < 1) {
        return Optional.empty();
      }
      fields.put(field.substring(0, equals), field.substring(equals + 1));
    }
    return Optional.of(new Message(kind, fields));
  }

  /** The number under a name, 0 if there is none. */
  public long number(String name) {
    final @Nullable String value = fields.get(name);
    return value == null ? 0 : Long.parseLong(value);
  }

  /** The line. */
  public String line() {
    final StringBuilder line = new StringBuilder(MARK).append(kind);
    fields.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    return line.toString();
  }
}
