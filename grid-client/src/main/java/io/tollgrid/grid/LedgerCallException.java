package io.tollgrid.grid;

import io.tollgrid.ledger.LedgerCode;
import org.jspecify.annotations.Nullable;

/** A command whose client gave up on it before its answer was definite, or that can have none. */
public final class LedgerCallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final LedgerCode code;
  private final boolean mayHaveHappened;

  LedgerCallException(
      LedgerCode code, boolean mayHaveHappened, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.mayHaveHappened = mayHaveHappened;
  }

  /** How the last attempt ended. */
  public LedgerCode code() {
    return code;
  }

  /**
   * Whether some attempt may have taken effect, or may yet: the spend is to be assumed (R3, R35).
   */
  public boolean mayHaveHappened() {
    return mayHaveHappened;
  }
}
