package io.tollgrid.grid;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.LedgerRequest;
import org.jspecify.annotations.Nullable;

/** Tells whether an operator command comes from the control plane (R45). */
@FunctionalInterface
public interface CommandVerifier {
  /** Whether {@code mac} authenticates {@code request}; constant time in the code itself. */
  boolean verify(LedgerRequest request, @Nullable Bits256 mac);
}
