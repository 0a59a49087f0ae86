package io.tollgrid.client.config;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.time.Duration;
import java.util.List;

/**
 * The keys that say how early a lease stops being spent, and what must fit into that time (R57):
 * nodes and instances state both, in sections of their own.
 *
 * @param margin how long before a lease's expiry its holder stops spending it
 * @param maxSkew by how much clocks may differ
 * @param coarseTick how coarse the clock of requests may be
 * @param flushTime how long a commit may take
 */
public record Margin(
    Key<Duration> margin,
    Key<Duration> maxSkew,
    Key<Duration> coarseTick,
    Key<Duration> flushTime) {

  /** The four keys of a section. */
  public static Margin of(final String section) {
    return new Margin(
        new Key<>(
            section + ".margin",
            ValueType.duration(ofMillis(100), ofMinutes(10)),
            ofSeconds(5),
            "how long before a lease's expiry its holder stops spending it"),
        new Key<>(
            section + ".maxSkew",
            ValueType.duration(ofMillis(1), ofMinutes(1)),
            ofMillis(500),
            "how far a member's clock may be ahead of PostgreSQL's; the same everywhere"),
        new Key<>(
            section + ".coarseTick",
            ValueType.duration(ofMillis(1), ofSeconds(10)),
            ofMillis(50),
            "the coarsest clock that times requests"),
        new Key<>(
            section + ".flushTime",
            ValueType.duration(ofMillis(1), ofMinutes(1)),
            ofSeconds(1),
            "the slowest commit to allow for"));
  }

  /** All four. */
  public List<Key<?>> keys() {
    return List.of(margin, maxSkew, coarseTick, flushTime);
  }

  /**
   * The margin, if the rest fits into it.
   *
   * @throws ConfigException naming the margin's key
   */
  public Duration in(final Settings settings) {
    final Duration stated = settings.must(margin);
    final Duration needed =
        settings.must(maxSkew).plus(settings.must(coarseTick)).plus(settings.must(flushTime));
    margin.check(
        needed.compareTo(stated) <= 0,
        "must be at least "
            + maxSkew.path()
            + " + "
            + coarseTick.path()
            + " + "
            + flushTime.path()
            + " = "
            + ValueType.showDuration(needed)
            + " (R57)");
    return stated;
  }
}
