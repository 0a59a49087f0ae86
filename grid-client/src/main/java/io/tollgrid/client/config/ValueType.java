package io.tollgrid.client.config;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.InvalidIdException;
import java.math.BigInteger;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How one kind of value is read, strictly, from YAML and from an environment variable.
 *
 * <p>Nothing is coerced (R42): {@code "5"} is no number in YAML, {@code 5} is no duration, {@code
 * yes} is no boolean. A refusal says what was expected; the caller adds the key. Immutable.
 *
 * @param <T> what a value becomes
 */
public abstract class ValueType<T> {
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");
  private static final int MAX_LIST = 1_000;
  private static final List<Unit> UNITS =
      List.of(
          new Unit(86_400_000, "d"),
          new Unit(3_600_000, "h"),
          new Unit(60_000, "m"),
          new Unit(1_000, "s"));

  /** The kinds of values are those of this file. */
  private ValueType() {}

  /** What was wrong with a value, in words that follow the key. */
  public static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(final String problem) {
      super(problem);
    }
  }

  /** The value of a YAML node that is not {@link Written.Nothing}. */
  abstract T fromYaml(Written written, Path base);

  /**
   * The value of an environment variable or a command-line option.
   *
   * @param base what a relative path is relative to
   * @throws Refused if the text is not exactly such a value
   */
  public abstract T fromText(String text, Path base);

  /**
   * The value itself, if it is within the bounds of this type.
   *
   * @throws Refused otherwise
   */
  abstract T checked(T value);

  /** How a value is shown to a person, as YAML would have it. */
  public String show(final T value) {
    return value.toString();
  }

  /** A text that is not empty and has no surrounding white space. */
  public static ValueType<String> text() {
    return new Scalar<>() {
      @Override
      public String fromText(final String text, final Path base) {
        return checked(text);
      }

      @Override
      String checked(final String text) {
        if (text.isEmpty() || !text.equals(text.strip())) {
          throw new Refused("must be a text without surrounding blanks, not \"" + text + "\"");
        }
        return text;
      }
    };
  }

  /** A path; a relative one is resolved against the place the value was written in. */
  public static ValueType<Path> path() {
    return new Scalar<>() {
      @Override
      public Path fromText(final String text, final Path base) {
        if (text.isBlank()) {
          throw new Refused("must be a path, not an empty text");
        }
        try {
          return base.resolve(text).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
          throw new Refused("must be a path, not \"" + text + "\"");
        }
      }

      @Override
      Path checked(final Path path) {
        return path;
      }
    };
  }

  /** A whole number within bounds, both included. */
  public static ValueType<Integer> integer(final int min, final int max) {
    return new ValueType<>() {
      @Override
      Integer fromYaml(final Written written, final Path base) {
        if (written instanceof Written.Whole whole) {
          return within(new BigInteger(whole.digits()));
        }
        throw new Refused("must be a whole number, not " + written.shown());
      }

      @Override
      public Integer fromText(final String text, final Path base) {
        if (!WHOLE.matcher(text).matches()) {
          throw new Refused("must be a whole number, not \"" + text + "\"");
        }
        return within(new BigInteger(text));
      }

      @Override
      Integer checked(final Integer value) {
        return within(BigInteger.valueOf(value));
      }

      private Integer within(final BigInteger number) {
        if (number.compareTo(BigInteger.valueOf(min)) < 0
            || number.compareTo(BigInteger.valueOf(max)) > 0) {
          throw new Refused("must be between " + min + " and " + max + ", not " + number);
        }
        return number.intValueExact();
      }
    };
  }

  /** {@code true} or {@code false}. */
  public static ValueType<Boolean> bool() {
    return new ValueType<>() {
      @Override
      Boolean fromYaml(final Written written, final Path base) {
        if (written instanceof Written.Truth truth) {
          return truth.value();
        }
        throw new Refused("must be true or false, not " + written.shown());
      }

      @Override
      public Boolean fromText(final String text, final Path base) {
        return switch (text) {
          case "true" -> true;
          case "false" -> false;
          default -> throw new Refused("must be true or false, not \"" + text + "\"");
        };
      }

      @Override
      Boolean checked(final Boolean value) {
        return value;
      }
    };
  }

  /** One of an enum's constants, in lower case. */
  public static <E extends Enum<E>> ValueType<E> oneOf(final Class<E> constants) {
    final Set<E> all = EnumSet.allOf(constants);
    return new Scalar<>() {
      @Override
      public E fromText(final String text, final Path base) {
        return all.stream()
            .filter(constant -> show(constant).equals(text))
            .findFirst()
            .orElseThrow(
                () ->
                    new Refused(
                        all.stream()
                                .map(this::show)
                                .collect(Collectors.joining(" or ", "must be ", ""))
                            + ", not \""
                            + text
                            + "\""));
      }

      @Override
      E checked(final E constant) {
        return constant;
      }

      @Override
      public String show(final E constant) {
        return constant.name().toLowerCase(Locale.ROOT);
      }
    };
  }

  /**
   * A whole number with a unit, {@code 500ms}, {@code 5s}, {@code 10m}, {@code 72h}, {@code 400d}.
   */
  public static ValueType<Duration> duration(final Duration min, final Duration max) {
    return new Scalar<>() {
      @Override
      public Duration fromText(final String text, final Path base) {
        return checked(parse(text));
      }

      @Override
      Duration checked(final Duration value) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
          throw new Refused(
              "must be between " + show(min) + " and " + show(max) + ", not " + show(value));
        }
        if (value.toNanosPart() % 1_000_000 != 0) {
          throw new Refused("must be whole milliseconds, not " + value);
        }
        return value;
      }

      private Duration parse(final String text) {
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
      public String show(final Duration value) {
        return showDuration(value);
      }
    };
  }

  /** A list of texts; in the environment separated by commas. */
  public static ValueType<List<String>> texts() {
    return new ListOf<>(text());
  }

  /** A list of ids, each 32 lowercase hexadecimal digits (R43). */
  public static ValueType<List<Id128>> ids() {
    return new ListOf<>(
        new Scalar<Id128>() {
          @Override
          public Id128 fromText(final String text, final Path base) {
            try {
              return Id128.parse(text);
            } catch (InvalidIdException e) {
              throw new Refused(
                  "must hold ids of 32 lowercase hexadecimal digits, not \"" + text + "\"");
            }
          }

          @Override
          Id128 checked(final Id128 id) {
            return id;
          }

          @Override
          public String show(final Id128 id) {
            return id.toHex();
          }
        });
  }

  /** One word, which becomes an empty value, or else a value of another type. */
  public static <T> ValueType<Optional<T>> wordOr(final String word, final ValueType<T> otherwise) {
    return new ValueType<>() {
      @Override
      Optional<T> fromYaml(final Written written, final Path base) {
        if (!(written instanceof Written.Text text)) {
          return Optional.of(otherwise.fromYaml(written, base));
        }
        if (text.text().equals(word)) {
          return Optional.empty();
        }
        throw new Refused("must be " + word + " or a list, not " + written.shown());
      }

      @Override
      public Optional<T> fromText(final String text, final Path base) {
        return text.equals(word) ? Optional.empty() : Optional.of(otherwise.fromText(text, base));
      }

      @Override
      Optional<T> checked(final Optional<T> value) {
        return value.map(otherwise::checked);
      }

      @Override
      public String show(final Optional<T> value) {
        return value.map(otherwise::show).orElse(word);
      }
    };
  }

  /** The shortest exact spelling of whole milliseconds that {@link #duration} reads back. */
  public static String showDuration(final Duration value) {
    final long millis = value.toMillis();
    for (final Unit unit : UNITS) {
      if (millis != 0 && millis % unit.millis() == 0) {
        return millis / unit.millis() + unit.name();
      }
    }
    return millis + "ms";
  }

  private record Unit(long millis, String name) {}

  /** A kind of value that YAML writes as a text. */
  private abstract static class Scalar<T> extends ValueType<T> {
    @Override
    T fromYaml(final Written written, final Path base) {
      if (written instanceof Written.Text text) {
        return fromText(text.text(), base);
      }
      throw new Refused("must be a text, not " + written.shown());
    }
  }

  /** Some values of one kind. */
  private static final class ListOf<T> extends ValueType<List<T>> {
    private final ValueType<T> element;

    ListOf(final ValueType<T> element) {
      this.element = element;
    }

    @Override
    List<T> fromYaml(final Written written, final Path base) {
      if (!(written instanceof Written.Items items)) {
        throw new Refused("must be a list, not " + written.shown());
      }
      final List<T> values = new ArrayList<>();
      items.values().forEach(item -> values.add(element.fromYaml(item, base)));
      return bounded(values);
    }

    @Override
    public List<T> fromText(final String text, final Path base) {
      final List<T> values = new ArrayList<>();
      for (final String part : text.split(",", -1)) {
        values.add(element.fromText(part.strip(), base));
      }
      return bounded(values);
    }

    @Override
    List<T> checked(final List<T> values) {
      values.forEach(element::checked);
      return bounded(values);
    }

    private static <T> List<T> bounded(final List<T> values) {
      if (values.size() > MAX_LIST) {
        throw new Refused("must not have more than " + MAX_LIST + " elements");
      }
      return List.copyOf(values);
    }

    @Override
    public String show(final List<T> values) {
      return values.stream().map(element::show).collect(Collectors.joining(", ", "[", "]"));
    }
  }
}
