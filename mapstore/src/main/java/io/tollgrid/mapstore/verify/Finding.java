package io.tollgrid.mapstore.verify;

import io.tollgrid.ledger.Id128;

/**
 * One disagreement.
 *
 * @param account whose
 * @param check which check found it
 * @param details the numbers that disagree, for a person
 */
public record Finding(Id128 account, String check, String details) {
  @Override
  public String toString() {
    return "account " + account + ": " + details + " [" + check + "]";
  }
}
