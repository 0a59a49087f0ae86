package io.tollgrid.verification.simulation;

/**
 * A rule was seen broken.
 *
 * <p>Two violations with the same check are the same finding: shrinking keeps the check and lets
 * the numbers change.
 */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String rule;
  private final String check;

  /**
   * A finding.
   *
   * @param rule the rule, for example {@code R1}
   * @param check what was checked, without numbers
   * @param detail the numbers
   */
  Violation(String rule, String check, String detail) {
    super(rule + ": " + check + ": " + detail);
    this.rule = rule;
    this.check = check;
  }

  /** Something threw that must not throw. */
  Violation(String check, Throwable cause) {
    super("R7: " + check + ": " + cause, cause);
    this.rule = "R7";
    this.check = check;
  }

  String rule() {
    return rule;
  }

  boolean sameFinding(Violation other) {
    return rule.equals(other.rule) && check.equals(other.check);
  }
}
