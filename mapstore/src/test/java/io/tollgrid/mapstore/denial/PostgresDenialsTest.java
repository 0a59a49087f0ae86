package io.tollgrid.mapstore.denial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.DenialMinute;
import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.schema.LedgerSchema;
import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Witnesses R50's data at rest: a report is kept once, however often it comes. */
class PostgresDenialsTest {
  private static final DenialMinute KNOWN =
      new DenialMinute(new Id128(0xACC, 1), new Id128(0xA, 1), "NO_LEASE", 28_000_000, 3, 12);
  private static final DenialMinute NOBODY =
      new DenialMinute(Id128.ZERO, Id128.ZERO, "UNKNOWN_PRINCIPAL", 28_000_001, 1, 0);

  private static TestPostgres database;
  private static LedgerDataSources sources;
  private static PostgresDenials denials;

  @BeforeAll
  static void open() throws SQLException {
    database = TestPostgres.migrated();
    sources = database.dataSources();
    final long now =
        database.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8") * 1_000;
    denials = new PostgresDenials(sources.control(), () -> now);
  }

  @AfterAll
  static void close() {
    sources.close();
    database.close();
  }

  @Test
  void aReportIsKeptOnceHoweverOftenItComes() throws SQLException {
    final Id128 writer = new Id128(1, 1);
    denials.keep(new DenialReport(writer, 1, List.of(KNOWN, NOBODY)));
    denials.keep(new DenialReport(writer, 1, List.of(KNOWN, NOBODY)));
    denials.keep(new DenialReport(writer, 2, List.of(KNOWN)));

    assertThat(
            database.query(
                "SELECT concat_ws(' ', report, position, minute, reason, denials, last_quote,"
                    + " account IS NULL, principal IS NULL) FROM denial_minute WHERE writer = '"
                    + writer.toUuid()
                    + "' ORDER BY report, position"))
        .containsExactly(
            "1 0 28000000 NO_LEASE 3 12 f f",
            "1 1 28000001 UNKNOWN_PRINCIPAL 1 0 t t",
            "2 0 28000000 NO_LEASE 3 12 f f");
    assertThat(new LedgerSchema(sources.control()).monthPartitions().defaultsInUse())
        .doesNotContain("denial_minute_default");
  }

  @Test
  void whoCannotKeepItSaysThatItMayBeKept() {
    final LedgerDataSources gone = database.dataSources();
    final PostgresDenials closed = new PostgresDenials(gone.control(), () -> 0);
    gone.close();

    assertThatThrownBy(() -> closed.keep(new DenialReport(new Id128(1, 2), 1, List.of(KNOWN))))
        .isInstanceOfSatisfying(
            LedgerCodeException.class, e -> assertThat(e.code()).isEqualTo(LedgerCode.UNAVAILABLE));
  }
}
