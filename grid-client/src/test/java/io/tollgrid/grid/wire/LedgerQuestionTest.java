package io.tollgrid.grid.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Witnesses R45: of SQL, a client may ask about the ledgers and do nothing else. */
class LedgerQuestionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT count(*) FROM ledgers",
        "select * from \"ledgers\"",
        "SELECT __key, top_up, outstanding FROM ledgers WHERE __key = '0123' AND top_up >= ?",
        "SELECT status, SUM(top_up - billed) FROM ledgers GROUP BY status ORDER BY status LIMIT 10",
        "SELECT __key FROM ledgers WHERE status = 'DROP MAPPING; it''s a text -- /*'"
      })
  void questionsAboutLedgersAreAnswered(String sql) {
    assertThat(LedgerQuestion.is(sql)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "SELECT 1",
        "DELETE FROM ledgers",
        "UPDATE ledgers SET top_up = 1",
        "INSERT INTO ledgers SELECT * FROM ledgers",
        "SINK INTO ledgers SELECT * FROM ledgers",
        "DROP MAPPING ledgers",
        "CREATE JOB x AS SELECT * FROM ledgers",
        "EXPLAIN PLAN FOR SELECT * FROM ledgers",
        "SELECT * FROM ledgers; SELECT 1",
        "SELECT * FROM ledgers -- 'x",
        "SELECT * FROM ledgers /* x */",
        "SELECT * FROM ledgers, ledgers",
        "SELECT * FROM ledgers JOIN other ON TRUE",
        "SELECT * FROM ledgers UNION SELECT * FROM ledgers",
        "SELECT * FROM ledgers.other",
        "SELECT * FROM \"usage-inbox\"",
        "SELECT * FROM TABLE(csv_file('/etc'))",
        "SELECT csv_file('/etc') FROM ledgers",
        "SELECT \"csv_file\"('/etc') FROM ledgers",
        "SELECT * FROM ledgers WHERE __key = 'unfinished",
        "SELECT * FROM ledgers WHERE __key = U&'\\0041'",
        "SELECT this FROM ledgers"
      })
  void everythingElseIsRefused(String sql) {
    assertThat(LedgerQuestion.is(sql)).isFalse();
  }

  @Test
  void aQuestionOfAnyLengthIsJudgedAtOnce() {
    assertThat(LedgerQuestion.is("SELECT " + "1 + ".repeat(1 << 20) + "1 FROM ledgers")).isFalse();
    assertThat(LedgerQuestion.is("SELECT * FROM ledgers WHERE __key = " + "'".repeat(4_000)))
        .isTrue();
  }
}
