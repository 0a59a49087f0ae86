package io.tollgrid.verification.faults.run;

/** The kinds of messages between a run and its processes, and the names of their values. */
public final class Words {
  /** A member or client says how it is, several times a second. */
  public static final String STATUS = "status";

  /** A process is told to begin its load. */
  public static final String LOAD = "load";

  /** A process is told to finish its load. */
  public static final String FINISH = "finish";

  /** A process says that its load is finished and its history closed. */
  public static final String FINISHED = "finished";

  /** A member is told how mischievous its store shall be. */
  public static final String MISCHIEF = "mischief";

  /** A member is told to hold its stores back before they begin. */
  public static final String HOLD = "hold";

  /** A member is told to let its stores go on. */
  public static final String LET_GO = "let-go";

  /** A process is told to look what it holds, and to say so with its status. */
  public static final String LOOK = "look";

  /** A process is told to leave in order. */
  public static final String LEAVE = "leave";

  static final String READY = "ready";
  static final String MEMBERS = "members";
  static final String CP_MEMBERS = "cp-members";
  static final String CP_LOCAL = "cp-local";

  /** Whether a member leads CP. */
  public static final String CP_LEADER = "cp-leader";

  /** Bytes of a member's heap in use. */
  public static final String HEAP_BYTES = "heap-bytes";

  /** Usage events that a member has taken and not recorded yet. */
  public static final String TAKEN_EVENTS = "taken-events";

  /** Batches of usage that lay with a member when it looked. */
  public static final String LEFT_BATCHES = "left-batches";

  /** Of those batches, events that were not classified. */
  public static final String LEFT_EVENTS = "left-events";

  /** Names of batches that a member knew when it looked; some had ended and were not swept. */
  public static final String LEFT_KEYS = "left-keys";

  static final String WAITING = "waiting";
  static final String HELD = "held";
  static final String CONFIRMATIONS_LOST = "confirmations-lost";
  static final String QUEUED = "queued";
  static final String LOSE_ONE_IN = "lose-one-in";
  static final String WAIT_ONE_IN = "wait-one-in";

  private Words() {}

  /** Whether an alarm fires. */
  public static String alarm(String name) {
    return "alarm." + name;
  }

  /** Accounts that a sweep found or served, by the labels of the metric. */
  public static String swept(String sweep, String result) {
    return "sweep." + sweep + "." + result;
  }
}
