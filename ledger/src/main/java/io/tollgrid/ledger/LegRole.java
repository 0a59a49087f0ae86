package io.tollgrid.ledger;

/** What an account is to a request it helps to fund (R8). */
public enum LegRole {
  /** The home account: the one leg that finance views count. */
  BILLING,
  /** A parent account that only bounds the total. */
  CAP
}
