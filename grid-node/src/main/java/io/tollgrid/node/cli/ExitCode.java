package io.tollgrid.node.cli;

/** How a command ends. */
public final class ExitCode {
  /** All is well. */
  public static final int GOOD = 0;

  /** A check failed, or a node died. */
  public static final int CHECK_FAILED = 1;

  /** It could not run as asked: bad usage, bad input, or something it needs is missing. */
  public static final int BAD_INPUT = 2;

  /**
   * The process asks to be started again ({@code EX_TEMPFAIL}): a new one repairs what it cannot.
   */
  public static final int RESTART = 75;

  private ExitCode() {}
}
