package io.tollgrid.mapstore.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.mapstore.testing.TestPostgres;
import org.junit.jupiter.api.Test;

class LedgerSchemaTest {
  @Test
  void migrates() throws Exception {
    try (TestPostgres database = TestPostgres.migrated()) {
      assertThat(database.number("SELECT count(*) FROM ledger_partition")).isEqualTo(271);
    }
  }
}
