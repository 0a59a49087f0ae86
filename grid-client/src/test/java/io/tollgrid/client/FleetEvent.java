package io.tollgrid.client;

/**
 * Something that happens to the fleet. What exactly, and how much time passes afterwards, is drawn
 * from its own salt: so events can be taken out of a list and the others remain what they are.
 */
public record FleetEvent(Kind kind, long salt) {
  /** What can happen, and how often relative to the others. */
  public enum Kind {
    REQUEST(40),
    BURST(6),
    STRANGER(3),
    SESSION_REQUEST(12),
    DEPOSIT(5),
    SUSPEND(3),
    ACTIVATE(6),
    TERMS(2),
    PUBLISH_SNAPSHOT(5),
    PUBLISH_UNSAFE(2),
    PUBLISH_PLAN(2),
    PUBLISH_DURING_SUSPENSION(2),
    REVOKE(3),
    READMIT(5),
    ISSUE(3),
    ROTATE(2),
    RETIRE(2),
    WORD_TROUBLE(2),
    READ_TROUBLE(2),
    ROUGH_WEATHER(2),
    CALM_DOWN(3),
    STANDSTILL(1),
    CRASH(1),
    SHUT_DOWN(2),
    START(4),
    QUIET(2),
    PROBE(5);

    final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  @Override
  public String toString() {
    return kind + "/" + Long.toHexString(salt);
  }
}
