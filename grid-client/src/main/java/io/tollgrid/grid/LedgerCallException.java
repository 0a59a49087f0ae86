package io.tollgrid.grid;

import io.tollgrid.ledger.LedgerCode;
import java.util.concurrent.CompletionException;
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

  /**
   * How a command that has no answer ended, as far as its failure says.
   *
   * @param failure what its stage failed with, or null
   */
  public static LedgerCode codeOf(@Nullable Throwable failure) {
    final @Nullable Throwable cause =
        failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
    return cause instanceof LedgerCallException call ? call.code() : LedgerCode.UNKNOWN;
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
