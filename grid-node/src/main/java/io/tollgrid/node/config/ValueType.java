package io.tollgrid.node.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How one kind of value is read, strictly, from YAML and from an environment variable.
 *
 * <p>Nothing is coerced (R42): {@code "5"} is no number in YAML, {@code 5} is no duration, {@code
 * yes} is no boolean. A refusal says what was expected; the caller adds the key.
 *
 * @param <T> what a value becomes
 */
abstract class ValueType<T> {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");
  private static final int MAX_LIST = 1_000;
  private static final List<Unit> UNITS =
      List.of(
          new Unit(86_400_000, "d"),
          new Unit(3_600_000, "h"),
          new Unit(60_000, "m"),
          new Unit(1_000, "s"));

  /** What was wrong with a value, in words that follow the key. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String problem) {
      super(problem);
    }
  }

  /** The value of a YAML node that is present and not null. */
  abstract T fromYaml(JsonNode node, Path base);

  /** The value of an environment variable or a command-line option. */
  abstract T fromText(String text, Path base);

  /** How a value is shown to a person. */
  String show(T value) {
    return value.toString();
  }

  /** A text that is not empty and has no surrounding white space. */
  static ValueType<String> text() {
    return new Scalar<>() {
      @Override
      String fromText(String text, Path base) {
        if (text.isEmpty() || !text.equals(text.strip())) {
          throw new Refused("must be a text without surrounding blanks, not \"" + text + "\"");
        }
        return text;
      }
    };
  }

  /** A path; a relative one is resolved against the place the value was written in. */
  static ValueType<Path> path() {
    return new Scalar<>() {
      @Override
      Path fromText(String text, Path base) {
        if (text.isBlank()) {
          throw new Refused("must be a path, not an empty text");
        }
        try {
          return base.resolve(text).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
          throw new Refused("must be a path, not \"" + text + "\"");
        }
      }
    };
  }

  /** A whole number within bounds, both included. */
  static ValueType<Integer> integer(int min, int max) {
    return new ValueType<>() {
      @Override
      Integer fromYaml(JsonNode node, Path base) {
        if (!node.isIntegralNumber()) {
          throw new Refused("must be a whole number, not " + shown(node));
        }
        return within(node.decimalValue());
      }

      @Override
      Integer fromText(String text, Path base) {
        if (!text.matches("-?[0-9]{1,18}")) {
          throw new Refused("must be a whole number, not \"" + text + "\"");
        }
        return within(new BigDecimal(text));
      }

      private Integer within(BigDecimal number) {
        if (number.compareTo(BigDecimal.valueOf(min)) < 0
            || number.compareTo(BigDecimal.valueOf(max)) > 0) {
          throw new Refused("must be between " + min + " and " + max + ", not " + number);
        }
        return number.intValueExact();
      }
    };
  }

  /** {@code true} or {@code false}. */
  static ValueType<Boolean> bool() {
    return new ValueType<>() {
      @Override
      Boolean fromYaml(JsonNode node, Path base) {
        if (!node.isBoolean()) {
          throw new Refused("must be true or false, not " + shown(node));
        }
        return node.booleanValue();
      }

      @Override
      Boolean fromText(String text, Path base) {
        return switch (text) {
          case "true" -> true;
          case "false" -> false;
          default -> throw new Refused("must be true or false, not \"" + text + "\"");
        };
      }
    };
  }

  /**
   * A whole number with a unit, {@code 500ms}, {@code 5s}, {@code 10m}, {@code 72h}, {@code 400d}.
   */
  static ValueType<Duration> duration(Duration min, Duration max) {
    return new Scalar<>() {
      @Override
      Duration fromText(String text, Path base) {
        final Duration value = parse(text);
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
          throw new Refused(
              "must be between " + show(min) + " and " + show(max) + ", not " + show(value));
        }
        return value;
      }

      private Duration parse(String text) {
        final Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
          throw new Refused(
              "must be a duration with a unit such as 500ms, 5s, 10m, 72h or 400d, not \""
                  + text
                  + "\"");
        }
        final long amount = Long.parseLong(matcher.group(1));
        try {
          return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
          };
        } catch (ArithmeticException e) {
          throw new Refused("is longer than any duration can be: " + text);
        }
      }

      @Override
      String show(Duration value) {
        return showDuration(value);
      }
    };
  }

  /** A list of texts; in the environment separated by commas. */
  static ValueType<List<String>> texts() {
    return new ValueType<>() {
      private final ValueType<String> element = text();

      @Override
      List<String> fromYaml(JsonNode node, Path base) {
        if (!node.isArray()) {
          throw new Refused("must be a list, not " + shown(node));
        }
        final List<String> values = new ArrayList<>();
        for (final JsonNode child : node) {
          values.add(element.fromYaml(child, base));
        }
        return bounded(values);
      }

      @Override
      List<String> fromText(String text, Path base) {
        final List<String> values = new ArrayList<>();
        for (final String part : text.split(",", -1)) {
          values.add(element.fromText(part.strip(), base));
        }
        return bounded(values);
      }

      private List<String> bounded(List<String> values) {
        if (values.size() > MAX_LIST) {
          throw new Refused("must not have more than " + MAX_LIST + " elements");
        }
        return List.copyOf(values);
      }

      @Override
      String show(List<String> value) {
        return value.stream().collect(Collectors.joining(", ", "[", "]"));
      }
    };
  }

  /** The shortest exact spelling of a duration that {@link #duration} reads back. */
  static String showDuration(Duration value) {
    final long millis = value.toMillis();
    for (final Unit unit : UNITS) {
      if (millis != 0 && millis % unit.millis() == 0) {
        return millis / unit.millis() + unit.name();
      }
    }
    return millis + "ms";
  }

  private record Unit(long millis, String name) {}

  private static String shown(JsonNode node) {
    return node.isContainerNode() ? (node.isArray() ? "a list" : "a map") : node.toString();
  }

  /** A kind of value that YAML writes as a text. */
  private abstract static class Scalar<T> extends ValueType<T> {
    @Override
    T fromYaml(JsonNode node, Path base) {
      if (!node.isTextual()) {
        throw new Refused("must be a text, not " + shown(node));
      }
      return fromText(node.textValue(), base);
    }
  }
}
