package io.tollgrid.mapstore.policy;

import io.tollgrid.ledger.CorruptLedgerException;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.ledger.port.Introductions;
import io.tollgrid.ledger.port.LedgerCodeException;
import java.sql.SQLException;

/** Introductions over the grid: what refuses or fails travels as a value or a code. Thread-safe. */
public final class PostgresIntroductions implements Introductions {
  private final AssignmentPublisher assignments;

  /** Introduces to what {@code assignments} publishes. */
  public PostgresIntroductions(final AssignmentPublisher assignments) {
    this.assignments = assignments;
  }

  @Override
  public Introduction introduce(final Subject subject) {
    try {
      return assignments.introduce(subject);
    } catch (RefusedPublicationException e) {
      return Introduction.refused(String.valueOf(e.getMessage()));
    } catch (SQLException e) {
      throw new LedgerCodeException(LedgerCode.UNAVAILABLE, "a subject was not introduced", e);
    } catch (IllegalArgumentException | CorruptLedgerException e) {
      throw new LedgerCodeException(LedgerCode.CORRUPT, "a stored policy is impossible", e);
    }
  }
}
