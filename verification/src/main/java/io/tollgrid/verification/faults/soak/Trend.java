package io.tollgrid.verification.faults.soak;

import java.util.List;
import java.util.Locale;

/**
 * A straight line through a series, by least squares, and how sure it is.
 *
 * @param perMinute its slope
 * @param margin half of the slope's 95 % interval
 * @param mean of the series
 */
record Trend(double perMinute, double margin, double mean) {
  /** Of a normal distribution; the series are long enough for it. */
  private static final double TWO_SIDED_95 = 1.96;

  private static final int FEWEST = 8;

  /** A value at a time. */
  record Point(double minute, double value) {}

  static Trend of(List<Point> points) {
    if (points.size() < FEWEST) {
      throw new IllegalArgumentException(points.size() + " points show no trend");
    }
    final int n = points.size();
    final double meanX = points.stream().mapToDouble(Point::minute).average().orElseThrow();
    final double meanY = points.stream().mapToDouble(Point::value).average().orElseThrow();
    double spread = 0;
    double together = 0;
    for (final Point point : points) {
      spread += (point.minute() - meanX) * (point.minute() - meanX);
      together += (point.minute() - meanX) * (point.value() - meanY);
    }
    final double slope = together / spread;
    double residual = 0;
    for (final Point point : points) {
      final double off = point.value() - meanY - slope * (point.minute() - meanX);
      residual += off * off;
    }
    final double deviation = Math.sqrt(residual / (n - 2) / spread);
    return new Trend(slope, TWO_SIDED_95 * deviation, meanY);
  }

  /** Whether the whole interval lies above 0. */
  boolean grows() {
    return perMinute - margin > 0;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "mean %.1f, a minute %+.2f ± %.2f", mean, perMinute, margin);
  }
}
