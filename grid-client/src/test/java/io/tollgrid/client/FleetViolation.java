package io.tollgrid.client;

/**
 * A rule was seen broken by the fleet.
 *
 * <p>Two violations with the same rule and check are the same finding, whatever their numbers.
 */
final class FleetViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String finding;

  FleetViolation(String rule, String check, String detail) {
    super(rule + ": " + check + ": " + detail);
    this.finding = rule + ": " + check;
  }

  /** The rule and what was checked, without numbers. */
  String finding() {
    return finding;
  }
}
