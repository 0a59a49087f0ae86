package io.tollgrid.grid;

import io.tollgrid.ledger.Id128;

/** The names Tollgrid uses on the grid. */
public final class GridNames {
  /** The map of ledgers: account id in hex to {@link io.tollgrid.ledger.LedgerEntry}. */
  public static final String LEDGERS = "ledgers";

  /** The map of usage that is not recorded yet: a writer's batch to its events. */
  public static final String USAGE_INBOX = "usage-inbox";

  /** The executor on which owners fetch rows that left an entry. */
  public static final String LEDGER_ROWS = "ledger-rows";

  /** The executor on which data members read policies. */
  public static final String POLICY_READS = "policy-reads";

  /** The executor on which data members write to the authority what instances tell it. */
  public static final String AUTHORITY_WRITES = "authority-writes";

  /** The topic that carries word of changes. */
  public static final String CHANGES = "tollgrid-changes";

  private GridNames() {}

  /** The key of an account in {@link #LEDGERS}. */
  public static String ledgerKey(Id128 account) {
    return account.toHex();
  }
}
