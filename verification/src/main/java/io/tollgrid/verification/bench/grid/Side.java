package io.tollgrid.verification.bench.grid;

/** One of the two that are compared. */
interface Side {
  /** What it is called in what is printed. */
  String name();

  /** One caller, for one thread. */
  Caller caller();

  /** Requests that were served and whose usage is not on record yet. */
  long unrecorded();

  /** Makes requests of one unit. Confined to one thread. */
  interface Caller {
    /** Whether a request of an account is admitted. */
    boolean decide(int account);

    /** Takes back what was decided last. */
    void undo();

    /** Serves a request of an account; false if it was not admitted. */
    boolean serve(int account);
  }
}
