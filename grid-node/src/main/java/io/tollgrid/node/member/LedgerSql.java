package io.tollgrid.node.member;

import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.grid.GridNames;

/**
 * The ledgers as a table for any SQL client of the grid.
 *
 * <p>It shows what is in memory now, which after a takeover is less than there is, and it is for
 * people: nothing decides by it. Columns are the numbers of R10 and what explains them.
 */
public final class LedgerSql {
  private static final String MAPPING =
      """
      CREATE OR REPLACE MAPPING "%s" (
        __key VARCHAR,
        status VARCHAR,
        version BIGINT,
        as_of BIGINT,
        deposited BIGINT,
        overage BIGINT,
        allowance BIGINT,
        top_up BIGINT,
        outstanding BIGINT,
        billed BIGINT,
        loss BIGINT,
        expired BIGINT,
        unfunded BIGINT,
        ownership_fence BIGINT
      ) TYPE IMap OPTIONS (
        'keyFormat' = 'varchar',
        'valueFormat' = 'compact',
        'valueCompactTypeName' = 'tollgrid.ledger-entry'
      )"""
          .formatted(GridNames.LEDGERS);

  private final HazelcastInstance member;
  private boolean created;

  /** The table of a member's cluster, not created yet. */
  public LedgerSql(HazelcastInstance member) {
    this.member = member;
  }

  /**
   * Creates the table, or replaces an older build's, unless it has done so before. The grid asks
   * every partition for it, so while one has no owner this takes long and fails; a node must not
   * wait for it to start. For one thread.
   */
  public void createMapping() {
    if (!created) {
      member.getSql().execute(MAPPING).close();
      created = true;
    }
  }
}
