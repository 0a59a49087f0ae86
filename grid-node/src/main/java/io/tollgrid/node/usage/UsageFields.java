package io.tollgrid.node.usage;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.InvalidIdException;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.MeterUnits;
import io.tollgrid.ledger.PlainText;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields of one line, and the event they make together. Used once. */
final class UsageFields {
  /** The longest {@code source} and the longest {@code id}, in UTF-16 units. */
  static final int MAX_NAME_CHARS = 256;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** Digits of 2^63 − 1. */
  private static final int MAX_DIGITS = 19;

  private static final DateTimeFormatter RFC_3339 =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
          .optionalEnd()
          .appendOffset("+HH:MM", "Z")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private final JsonParser parser;
  private final Set<String> seen = new HashSet<>();

  private @Nullable Id128 account;
  private @Nullable Id128 request;
  private @Nullable String source;
  private @Nullable String id;
  private @Nullable Long timeNanos;
  private int part;
  private @Nullable Long units;
  private long requests = 1;
  private List<MeterUnits> meters = List.of();
  private boolean metersStated;
  private Id128 key = Id128.ZERO;
  private Bits256 policyRevision = Bits256.ZERO;
  private LegRole role = LegRole.BILLING;
  private Funding funding = new Funding.Overage();

  /** The parser stands on the object's begin. */
  UsageFields(JsonParser parser) {
    this.parser = parser;
  }

  /** Reads to the object's end. */
  UsageDelivery read() throws IOException, BadLineException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      final String name = name(seen);
      parser.nextToken();
      switch (name) {
        case "account" -> account = idOf("account");
        case "request" -> request = requestId();
        case "source" -> source = text("source");
        case "id" -> id = text("id");
        case "time" -> timeNanos = time();
        case "part" -> part = Math.toIntExact(number("part", 0, Integer.MAX_VALUE));
        case "units" -> units = number("units", 0, Long.MAX_VALUE);
        case "requests" -> requests = number("requests", 1, Long.MAX_VALUE);
        case "meters" -> meters = meters();
        case "key" -> key = idOf("key");
        case "policyRevision" -> policyRevision = revision();
        case "role" -> role = role();
        case "funding" -> funding = funding();
        default -> throw bad(BadLine.UNKNOWN_FIELD, "no event has the field" + here());
      }
    }
    return delivery();
  }

  private UsageDelivery delivery() throws BadLineException {
    final Id128 requestId = identity();
    final long billed = required("units", units);
    requireSum(billed);
    return new UsageDelivery(
        required("account", account),
        new UsageEvent(
            requestId,
            part,
            role,
            funding,
            billed,
            requests,
            meters,
            key,
            policyRevision,
            timeNanos != null ? timeNanos : timeOf(requestId),
            Id128.ZERO,
            1));
  }

  private Id128 identity() throws BadLineException {
    if (request != null) {
      if (source != null || id != null) {
        throw bad(
            BadLine.CONFLICTING_FIELDS, "an event has a request, or a source and an id, not both");
      }
      return request;
    }
    if (source == null && id == null) {
      throw bad(BadLine.MISSING_FIELD, "request is missing, or source, id and time");
    }
    return ForeignRequestId.of(
        required("source", source),
        required("id", id),
        Math.floorDiv(required("time", timeNanos), NANOS_PER_MILLI));
  }

  private static long timeOf(Id128 requestId) throws BadLineException {
    if (requestId.unixMillis() > Long.MAX_VALUE / NANOS_PER_MILLI) {
      throw bad(BadLine.INVALID_TIME, "the time in the request's id is after 2262");
    }
    return requestId.unixMillis() * NANOS_PER_MILLI;
  }

  private void requireSum(long billed) throws BadLineException {
    if (!metersStated) {
      return;
    }
    long rest = billed;
    for (final MeterUnits share : meters) {
      if (share.units() > rest) {
        throw bad(BadLine.METERS_DO_NOT_SUM, "the meters exceed the units");
      }
      rest -= share.units();
    }
    if (rest != 0) {
      throw bad(BadLine.METERS_DO_NOT_SUM, "the meters fall short of the units");
    }
  }

  private static <T> T required(String field, @Nullable T value) throws BadLineException {
    if (value == null) {
      throw bad(BadLine.MISSING_FIELD, field + " is missing");
    }
    return value;
  }

  private Id128 requestId() throws IOException, BadLineException {
    final Id128 read = idOf("request");
    if (!read.isTimeOrdered()) {
      throw bad(BadLine.INVALID_ID, "request is not a time-ordered id, a UUID of version 7");
    }
    return read;
  }

  private Id128 idOf(String field) throws IOException, BadLineException {
    final String digits = string(field);
    try {
      final Id128 read = Id128.parse(digits);
      if (!read.equals(Id128.ZERO)) {
        return read;
      }
    } catch (InvalidIdException e) {
      // The same answer as for the id that names nothing, without the text that may be a secret.
    }
    throw bad(
        BadLine.INVALID_ID,
        field + " is " + Id128.HEX_DIGITS + " lowercase hexadecimal digits, not all of them 0");
  }

  private Bits256 revision() throws IOException, BadLineException {
    final String digits = string("policyRevision");
    if (digits.length() == 2 * Bits256.BYTES
        && digits.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
      final Bits256 read = Bits256.of(HexFormat.of().parseHex(digits));
      if (!read.equals(Bits256.ZERO)) {
        return read;
      }
    }
    throw bad(
        BadLine.INVALID_ID,
        "policyRevision is "
            + 2 * Bits256.BYTES
            + " lowercase hexadecimal digits, not all of them 0");
  }

  private String text(String field) throws IOException, BadLineException {
    final String read = string(field);
    if (read.isEmpty() || read.length() > MAX_NAME_CHARS) {
      throw bad(BadLine.OUT_OF_RANGE, field + " has 1 to " + MAX_NAME_CHARS + " characters");
    }
    if (!PlainText.isPlain(read)) {
      throw bad(
          BadLine.INVALID_TEXT, field + " has no control characters and no halves of characters");
    }
    return read;
  }

  private long time() throws IOException, BadLineException {
    try {
      final Instant at = OffsetDateTime.parse(string("time"), RFC_3339).toInstant();
      if (at.getEpochSecond() >= 0) {
        return Math.addExact(
            Math.multiplyExact(at.getEpochSecond(), NANOS_PER_SECOND), at.getNano());
      }
    } catch (DateTimeException | ArithmeticException e) {
      // The same answer as for a time before 1970, without the text.
    }
    throw bad(
        BadLine.INVALID_TIME,
        "time is an RFC 3339 instant from 1970 to 2262, such as 2026-03-01T12:00:00.25Z");
  }

  private LegRole role() throws IOException, BadLineException {
    return switch (string("role")) {
      case "billing" -> LegRole.BILLING;
      case "cap" -> LegRole.CAP;
      default -> throw bad(BadLine.UNKNOWN_VALUE, "role is billing or cap");
    };
  }

  private Funding funding() throws IOException, BadLineException {
    if (parser.currentToken() == JsonToken.START_OBJECT) {
      return lease();
    }
    return switch (string("funding")) {
      case "overage" -> new Funding.Overage();
      case "unfunded" -> new Funding.Unfunded();
      default ->
          throw bad(BadLine.UNKNOWN_VALUE, "funding is overage, unfunded, or a lease with a fence");
    };
  }

  private Funding lease() throws IOException, BadLineException {
    final Set<String> names = new HashSet<>();
    Id128 lease = null;
    Long fence = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      final String name = name(names);
      parser.nextToken();
      switch (name) {
        case "lease" -> lease = idOf("lease");
        case "fence" -> fence = number("fence", 1, Long.MAX_VALUE);
        default -> throw bad(BadLine.UNKNOWN_FIELD, "no lease has the field" + here());
      }
    }
    return new Funding.Leased(required("lease", lease), required("fence", fence));
  }

  /** Sorted by name, so that the order in which a line has them means nothing. */
  private List<MeterUnits> meters() throws IOException, BadLineException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw bad(BadLine.WRONG_TYPE, "meters is an object of units by meter");
    }
    metersStated = true;
    final Map<String, MeterUnits> read = new TreeMap<>();
    final Set<String> names = new HashSet<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      final String name = name(names);
      parser.nextToken();
      read.put(name, share(name, number("the share of a meter", 0, Long.MAX_VALUE)));
      if (read.size() > UsageEvent.MAX_METERS) {
        throw bad(
            BadLine.OUT_OF_RANGE, "an event has at most " + UsageEvent.MAX_METERS + " meters");
      }
    }
    return List.copyOf(read.values());
  }

  private static MeterUnits share(String name, long shareUnits) throws BadLineException {
    if (name.isEmpty() || name.length() > MeterUnits.MAX_NAME_CHARS) {
      throw bad(
          BadLine.OUT_OF_RANGE,
          "a meter's name has 1 to " + MeterUnits.MAX_NAME_CHARS + " characters");
    }
    if (!PlainText.isPlain(name)) {
      throw bad(
          BadLine.INVALID_TEXT,
          "a meter's name has no control characters and no halves of characters");
    }
    return new MeterUnits(name, shareUnits);
  }

  /** The name at which the parser stands, if it is not among {@code before}. */
  private String name(Set<String> before) throws IOException, BadLineException {
    final String name = parser.currentName();
    if (!before.add(name)) {
      throw bad(BadLine.DUPLICATE_FIELD, "the field" + here() + " is there twice");
    }
    return name;
  }

  private String string(String field) throws IOException, BadLineException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw bad(BadLine.WRONG_TYPE, field + " is text");
    }
    return parser.getText();
  }

  private long number(String field, long least, long most) throws IOException, BadLineException {
    if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
      throw bad(
          BadLine.WRONG_TYPE, field + " is a whole number, without a fraction and an exponent");
    }
    final String digits = parser.getText();
    if (digits.charAt(0) != '-' && digits.length() <= MAX_DIGITS) {
      // 19 digits fit 64 bits; beyond 63 they read as a negative number.
      final long read = Long.parseUnsignedLong(digits);
      if (read >= least && read <= most) {
        return read;
      }
    }
    throw bad(BadLine.OUT_OF_RANGE, field + " lies between " + least + " and " + most);
  }

  private String here() {
    return " near character " + parser.currentLocation().getColumnNr();
  }

  private static BadLineException bad(BadLine kind, String reason) {
    return new BadLineException(kind, reason);
  }
}
