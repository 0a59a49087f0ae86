package io.tollgrid.verification.simulation;

/**
 * The clients of the fleet by number. A lane is one stream of commands per account; an instance has
 * one for its leases and one for its usage, everyone else has one. A process owns one or two lanes
 * and has one clock.
 */
final class Lanes {
  static final int PROCESSES = Scale.INSTANCES + Scale.OPERATORS + Scale.SWEEPERS + 1;
  static final int COUNT = Scale.INSTANCES + PROCESSES;

  private static final int OPERATOR = 2 * Scale.INSTANCES;
  private static final int SWEEPER = OPERATOR + Scale.OPERATORS;
  private static final int ROGUE = SWEEPER + Scale.SWEEPERS;

  static int leases(int instance) {
    return 2 * instance;
  }

  static int usage(int instance) {
    return 2 * instance + 1;
  }

  static int operator(int operator) {
    return OPERATOR + operator;
  }

  static int sweeper(int sweeper) {
    return SWEEPER + sweeper;
  }

  /** A client that asks for what it may not have. */
  static int rogue() {
    return ROGUE;
  }

  static int processOf(int lane) {
    return lane < OPERATOR ? lane / 2 : lane - Scale.INSTANCES;
  }

  static boolean belongsTo(int lane, int process) {
    return processOf(lane) == process;
  }

  static boolean isInstance(int process) {
    return process < Scale.INSTANCES;
  }

  static String name(int lane) {
    if (lane < OPERATOR) {
      return "instance-" + lane / 2 + (lane % 2 == 0 ? "-leases" : "-usage");
    }
    if (lane < SWEEPER) {
      return "operator-" + (lane - OPERATOR);
    }
    return lane < ROGUE ? "sweeper-" + (lane - SWEEPER) : "rogue";
  }

  private Lanes() {}
}
