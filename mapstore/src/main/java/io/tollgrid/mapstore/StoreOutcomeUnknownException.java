package io.tollgrid.mapstore;

/**
 * A store whose COMMIT did not answer with plain success: the transition may or may not be durable.
 *
 * <p>It carries no {@link io.tollgrid.ledger.LedgerCode}, which is how every reader of failures
 * knows an unknown outcome, also after the grid rebuilt it as another class.
 */
public final class StoreOutcomeUnknownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreOutcomeUnknownException(String message, Throwable cause) {
    super(message, cause);
  }
}
