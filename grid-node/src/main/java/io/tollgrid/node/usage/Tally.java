package io.tollgrid.node.usage;

import io.tollgrid.ledger.UsageVerdict;
import java.math.BigInteger;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;

/** Counts what becomes of lines. Not thread-safe. */
final class Tally {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<UsageVerdict, Long> events = new EnumMap<>(UsageVerdict.class);
  private final Map<UsageVerdict, BigInteger> units = new EnumMap<>(UsageVerdict.class);
  private long lines;
  private long shipped;
  private long differing;

  void line() {
    lines++;
  }

  void shipped() {
    shipped++;
  }

  void classified(UsageVerdict verdict, long ofUnits) {
    events.merge(verdict, 1L, Math::addExact);
    units.merge(verdict, BigInteger.valueOf(ofUnits), BigInteger::add);
  }

  void differing(long howMany) {
    differing += howMany;
  }

  long lines() {
    return lines;
  }

  LoadReport report(long elapsedNanos) {
    final double seconds = elapsedNanos / NANOS_PER_SECOND;
    final long answered = count(verdict -> true);
    final long duplicates = count(is(UsageVerdict.Kind.DUPLICATE));
    return new LoadReport(
        lines,
        shipped,
        lines - shipped,
        count(is(UsageVerdict.Kind.ACCEPTED)),
        only(verdict -> true),
        new LoadReport.Duplicates(duplicates - differing, differing),
        only(is(UsageVerdict.Kind.REJECTED)),
        shipped - answered,
        new LoadReport.Units(
            sum(is(UsageVerdict.Kind.ACCEPTED).and(verdict -> verdict != UsageVerdict.UNFUNDED)),
            sum(verdict -> verdict == UsageVerdict.UNFUNDED),
            sum(is(UsageVerdict.Kind.DUPLICATE)),
            sum(is(UsageVerdict.Kind.REJECTED))),
        seconds,
        seconds > 0 ? shipped / seconds : 0);
  }

  private static Predicate<UsageVerdict> is(UsageVerdict.Kind kind) {
    return verdict -> verdict.kind() == kind;
  }

  private long count(Predicate<UsageVerdict> which) {
    return only(which).values().stream().mapToLong(Long::longValue).sum();
  }

  private Map<UsageVerdict, Long> only(Predicate<UsageVerdict> which) {
    final Map<UsageVerdict, Long> chosen = new EnumMap<>(events);
    chosen.keySet().removeIf(which.negate());
    return chosen;
  }

  private BigInteger sum(Predicate<UsageVerdict> which) {
    return units.entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .map(Map.Entry::getValue)
        .reduce(BigInteger.ZERO, BigInteger::add);
  }
}
