package io.tollgrid.grid;

import io.tollgrid.ledger.LedgerRequest;
import java.util.List;

/** What a member sends word of after an answer, for fakes in other packages. */
public final class Announced {
  private Announced() {}

  /** The changes. */
  public static List<Change> by(LedgerRequest request, LedgerAnswer answer) {
    return Announcements.of(request, answer);
  }
}
