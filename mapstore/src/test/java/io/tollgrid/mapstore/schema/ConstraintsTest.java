package io.tollgrid.mapstore.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.mapstore.testing.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.util.PSQLException;

/**
 * Witnesses R7 and R10 in the database itself: every constraint refuses the row it is there for,
 * and no constraint goes without such a row.
 */
class ConstraintsTest {
  /**
   * One bad row.
   *
   * @param constraint the constraint that refuses it
   * @param sql a statement that would make it out of the good rows
   */
  record Bad(String constraint, String sql) {
    @Override
    public String toString() {
      return constraint + ": " + sql;
    }
  }

  private static final String MAX = "9223372036854775807";
  private static final String ID = "'00000000-0000-0000-0000-000000000001'";
  private static final List<String> GOOD =
      List.of(
          "INSERT INTO account (id, version, as_of, deposited, overage, allowance, top_up, outstanding, billed,"
              + " loss_resident, loss_archived, expired, unfunded, next_fence, policy_generation, status,"
              + " capacity_class, mode, overage_cap, requests_per_second, burst_requests, units_per_second,"
              + " burst_units, concurrency_ceiling, ever_elastic, period_number, period_end, schedule_kind,"
              + " schedule_zone, schedule_anchor_day, schedule_amount, change_pending, next_kind, next_zone,"
              + " next_anchor_day, next_amount, funded_day, funded_week, funded_month) VALUES ("
              + ID
              + ", 5, 1, 100, 10, 20, 30, 25, 15, 5, 5, 10, 3, 3, 1, 0, 0, 1, 50, 0, 0, 0, 0, 0, true, 1, 1000, 2,"
              + " 'UTC', 31, 10, true, 2, 'UTC', 1, 20, 0, 0, 0)",
          "INSERT INTO lease (account, id, holder, fence, body_hash, period_number, granted_allowance, granted_top_up,"
              + " returned_allowance, returned_top_up, billed, loss, state, first_expires_at, expires_at, grace) VALUES ("
              + ID
              + ", "
              + ID
              + ", "
              + ID
              + ", 1, "
              + ID
              + ", 1, 20, 30, 5, 5, 15, 0, 0, 10, 10, 5), ("
              + ID
              + ", '00000000-0000-0000-0000-000000000002', "
              + ID
              + ", 2, "
              + ID
              + ", 1, 5, 0, 0, 0, 0, 5, 1, 10, 10, 5), ("
              + ID
              + ", '00000000-0000-0000-0000-000000000003', "
              + ID
              + ", 3, "
              + ID
              + ", 1, 5, 0, 0, 0, 0, 5, 2, 10, 10, 5)",
          "INSERT INTO command VALUES (" + ID + ", " + ID + ", " + ID + ", 1, '')",
          "INSERT INTO deposit VALUES (" + ID + ", 2, 0, 100)",
          "INSERT INTO journal SELECT 209901, id, version, id, 'test', '', '', 1, 1, deposited, overage, allowance,"
              + " top_up, outstanding, billed, loss_resident, loss_archived, expired, unfunded, next_fence,"
              + " policy_generation, period_number FROM account",
          "INSERT INTO usage_event (month, recorded_at, account, version, kind, request_id, part, units, period_number,"
              + " role, verdict, funding, lease_id, lease_fence, requests, occurred_at, writer, sequence) VALUES (209901,"
              + " 1, "
              + ID
              + ", 1, 0, "
              + ID
              + ", 0, 15, 1, 0, 0, 0, "
              + ID
              + ", 1, 1, 1, "
              + ID
              + ", 1)",
          "INSERT INTO usage_event (month, recorded_at, account, version, kind, request_id, part, units, period_number,"
              + " command_id) VALUES (209901, 1, "
              + ID
              + ", 1, 1, "
              + ID
              + ", 0, 5, 1, "
              + ID
              + ")",
          "INSERT INTO usage_request VALUES (" + ID + ", " + ID + ", 0, " + ID + ", 1, 0, 15, 5)",
          "INSERT INTO usage_rejected (account, writer, sequence, verdict, recorded_at, version, request_id, part,"
              + " units, period_number, role, funding, requests, occurred_at) VALUES ("
              + ID
              + ", "
              + ID
              + ", 2, 5, 1, 1, "
              + ID
              + ", 0, 15, 1, 0, 1, 1, 1)",
          "INSERT INTO plan (name, generation, revision, published_at) VALUES ('chat', 1, decode(repeat('00', 32), 'hex'), 1)",
          "INSERT INTO plan_operation VALUES ('chat', 1, 0, 'completion', 1, 2, 0, 1)",
          "INSERT INTO plan_price VALUES ('chat', 1, 0, 0, 'tokens', 0, 1, 0)",
          "INSERT INTO snapshot VALUES (" + ID + ", 1, false, 'chat', 0, 1)",
          "INSERT INTO snapshot_leg VALUES (" + ID + ", 0, " + ID + ", '{}')",
          "INSERT INTO credential VALUES ("
              + ID
              + ", decode(repeat('00', 32), 'hex'), "
              + ID
              + ", NULL, 1, 2)",
          "INSERT INTO credential_activity VALUES (" + ID + ", 0, 1)",
          "INSERT INTO denial_minute VALUES (1, " + ID + ", 1, 0, 1, NULL, NULL, 'NO_LEASE', 1, 0)",
          "INSERT INTO assignment VALUES ('a', 1, 'chat', 0, 1, NULL)",
          "INSERT INTO assignment_leg VALUES ('a', 1, 0, NULL, '{}')",
          "INSERT INTO subject VALUES ('2bd806c9-7f0e-00af-1a1f-c3328fa763a9', 'alice', 'a')");

  private static TestPostgres database;
  private static Connection connection;

  /** Good rows of every table, in a transaction that no test commits. */
  @BeforeAll
  static void open() throws SQLException {
    database = TestPostgres.migrated();
    connection = database.connect();
    connection.setAutoCommit(false);
    for (final String sql : GOOD) {
      execute(sql);
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
    database.close();
  }

  private Savepoint before;

  @BeforeEach
  void remember() throws SQLException {
    before = connection.setSavepoint();
  }

  @AfterEach
  void restore() throws SQLException {
    connection.rollback(before);
  }

  static Stream<Bad> badRows() {
    final String active = "UPDATE lease SET %s WHERE fence = 1";
    final String lost = "UPDATE lease SET %s WHERE fence = 2";
    return Stream.of(
        new Bad("ledger_partition_id_not_negative", "INSERT INTO ledger_partition VALUES (-1, 0)"),
        new Bad("ledger_partition_fence_not_negative", "UPDATE ledger_partition SET fence = -1"),
        account("account_version_positive", "version = 0"),
        account("account_next_fence_positive", "next_fence = 0"),
        account("account_not_negative", "deposited = -1, allowance = 0, overage = 91"),
        account("account_not_negative", "overage = -1, deposited = 111"),
        account("account_not_negative", "allowance = -1, top_up = 51"),
        account("account_not_negative", "top_up = -1, allowance = 51"),
        account("account_not_negative", "outstanding = -1, allowance = 46"),
        account("account_not_negative", "billed = -1, allowance = 36"),
        account("account_not_negative", "loss_resident = -1, allowance = 26"),
        account("account_not_negative", "loss_archived = -1, allowance = 26"),
        account("account_not_negative", "expired = -1, allowance = 31"),
        account("account_not_negative", "unfunded = -1"),
        account("account_conserved", "top_up = top_up + 1"),
        account("account_conserved", "deposited = deposited - 1"),
        account("account_conserved", "allowance = " + MAX + ", top_up = " + MAX),
        account(
            "account_books_fit",
            "deposited = "
                + MAX
                + ", overage = 10, allowance = "
                + MAX
                + ", top_up = 0, outstanding = 0,"
                + " billed = 10, loss_resident = 0, loss_archived = 0, expired = 0"),
        account("account_policy_generation_positive", "policy_generation = 0"),
        account("account_status_known", "status = 3"),
        account("account_status_known", "status = -1"),
        account("account_capacity_class_known", "capacity_class = 2"),
        account("account_mode_known", "mode = 2"),
        account("account_terms_not_negative", "overage_cap = -1"),
        account("account_terms_not_negative", "concurrency_ceiling = -1"),
        account("account_terms_not_negative", "requests_per_second = -1, burst_requests = 1"),
        account("account_terms_not_negative", "units_per_second = 1, burst_units = -1"),
        account("account_strict_has_no_overage_cap", "mode = 0"),
        account("account_rate_has_burst", "requests_per_second = 1"),
        account("account_rate_has_burst", "burst_units = 1"),
        account("account_elastic_is_remembered", "ever_elastic = false"),
        account("account_period_not_negative", "period_number = -1"),
        account("account_period_ends_by_schedule", "period_end = " + MAX),
        account(
            "account_period_ends_by_schedule",
            "schedule_kind = NULL, schedule_zone = NULL, schedule_anchor_day = NULL, schedule_amount = NULL,"
                + " change_pending = false, next_kind = NULL, next_zone = NULL, next_anchor_day = NULL,"
                + " next_amount = NULL"),
        account("account_schedule_whole", "schedule_zone = NULL"),
        account("account_schedule_possible", "schedule_kind = 3"),
        account("account_schedule_possible", "schedule_kind = 0"),
        account("account_schedule_possible", "schedule_anchor_day = 32"),
        account("account_schedule_possible", "schedule_amount = -1"),
        account(
            "account_change_needs_schedule",
            "schedule_kind = NULL, schedule_zone = NULL, schedule_anchor_day = NULL, schedule_amount = NULL,"
                + " period_end = "
                + MAX),
        account("account_next_schedule_whole", "next_amount = NULL"),
        account("account_next_schedule_whole", "change_pending = false"),
        account("account_next_schedule_possible", "next_anchor_day = 0"),
        account("account_next_schedule_possible", "next_kind = 1, next_anchor_day = 2"),
        new Bad("lease_fence_positive", String.format(active, "fence = 0")),
        new Bad("lease_fence_unique", String.format(active, "fence = 2")),
        new Bad(
            "lease_granted",
            String.format(active, "granted_allowance = -1, returned_allowance = 0")),
        new Bad(
            "lease_granted",
            String.format(
                active, "granted_top_up = " + MAX + " - 10, returned_top_up = " + MAX + " - 10")),
        new Bad("lease_returned", String.format(active, "returned_allowance = 21")),
        new Bad("lease_returned", String.format(active, "returned_top_up = -1")),
        new Bad("lease_bounded", String.format(active, "billed = 41")),
        new Bad("lease_bounded", String.format(active, "billed = -1")),
        new Bad("lease_loss_fits_state", String.format(active, "loss = 1")),
        new Bad("lease_loss_fits_state", String.format(active, "state = 4, billed = 40")),
        new Bad("lease_loss_fits_state", String.format(lost, "state = 3")),
        new Bad("lease_loss_fits_state", String.format(lost, "loss = 0, billed = 5")),
        new Bad("lease_ended_is_accounted", String.format(lost, "loss = 4")),
        new Bad("lease_ended_is_accounted", String.format(active, "state = 3")),
        new Bad("lease_window", String.format(active, "expires_at = 9")),
        new Bad("lease_window", String.format(active, "grace = -1")),
        new Bad("lease_window", String.format(active, "expires_at = " + MAX)),
        new Bad("lease_step_whole", String.format(active, "step_number = 1")),
        new Bad(
            "lease_step_whole",
            String.format(
                active,
                "step_number = 1, step_kind = 3, step_argument = 1, step_restored = 1, step_expired = 0,"
                    + " step_loss = 0, step_expires_at = 1")),
        new Bad("command_version_positive", "UPDATE command SET version = 0"),
        new Bad("deposit_source_known", "UPDATE deposit SET source = 3"),
        new Bad("deposit_units_positive", "UPDATE deposit SET units = 0"),
        new Bad("journal_version_positive", "UPDATE journal SET version = 0"),
        new Bad("usage_event_not_negative", "UPDATE usage_event SET units = -1 WHERE kind = 0"),
        new Bad("usage_event_not_negative", "UPDATE usage_event SET part = -1 WHERE kind = 0"),
        new Bad("usage_event_whole", "UPDATE usage_event SET writer = NULL WHERE kind = 0"),
        new Bad("usage_event_whole", "UPDATE usage_event SET verdict = 4 WHERE kind = 0"),
        new Bad("usage_event_whole", "UPDATE usage_event SET requests = 0 WHERE kind = 0"),
        new Bad("usage_event_whole", "UPDATE usage_event SET kind = 2 WHERE kind = 0"),
        new Bad("usage_event_whole", "UPDATE usage_event SET units = 0 WHERE kind = 1"),
        new Bad("usage_event_whole", "UPDATE usage_event SET command_id = NULL WHERE kind = 1"),
        new Bad("usage_event_funding", "UPDATE usage_event SET lease_id = NULL WHERE kind = 0"),
        new Bad("usage_event_funding", "UPDATE usage_event SET funding = 1 WHERE kind = 0"),
        new Bad("usage_event_funding", "UPDATE usage_event SET funding = 3 WHERE kind = 0"),
        new Bad(
            "usage_event_policy_revision",
            "UPDATE usage_event SET policy_revision = '\\x00' WHERE kind = 0"),
        new Bad("usage_request_part_not_negative", "UPDATE usage_request SET part = -1"),
        new Bad("usage_request_sequence_positive", "UPDATE usage_request SET sequence = 0"),
        new Bad("usage_request_accepted", "UPDATE usage_request SET verdict = 4"),
        new Bad("usage_request_units_not_negative", "UPDATE usage_request SET units = -1"),
        new Bad("usage_request_credit_bounded", "UPDATE usage_request SET credited = 16"),
        new Bad("usage_request_credit_bounded", "UPDATE usage_request SET credited = -1"),
        new Bad("usage_request_credit_bounded", "UPDATE usage_request SET verdict = 3"),
        new Bad("usage_rejected_reason_known", "UPDATE usage_rejected SET verdict = 0"),
        new Bad("usage_rejected_reason_known", "UPDATE usage_rejected SET verdict = 13"),
        new Bad("usage_rejected_not_negative", "UPDATE usage_rejected SET units = -1"),
        new Bad("usage_rejected_not_negative", "UPDATE usage_rejected SET requests = 0"),
        new Bad(
            "plan_generation_positive",
            "INSERT INTO plan SELECT name, 0, revision, routes, work, 1 FROM plan"),
        new Bad("plan_revision_bits", "UPDATE plan SET revision = '\\x00'"),
        new Bad(
            "plan_name_fits", "INSERT INTO plan SELECT '', 1, revision, routes, work, 1 FROM plan"),
        new Bad(
            "plan_operation_position_not_negative",
            "INSERT INTO plan_operation VALUES ('chat', 1, -1, 'ping', 1, 1, 0, 1)"),
        new Bad("plan_operation_billing_known", "UPDATE plan_operation SET billing = 2"),
        new Bad("plan_operation_ends", "UPDATE plan_operation SET longest = 0"),
        new Bad("plan_operation_items", "UPDATE plan_operation SET estimate_items = 0"),
        new Bad("plan_operation_items", "UPDATE plan_operation SET maximum_items = 0"),
        new Bad("plan_price_position_not_negative", "UPDATE plan_price SET position = -1"),
        new Bad("plan_price_not_negative", "UPDATE plan_price SET fixed_units = -1"),
        new Bad("plan_price_not_negative", "UPDATE plan_price SET units_per_item = -1"),
        new Bad("plan_price_not_negative", "UPDATE plan_price SET minimum_units = -1"),
        new Bad("snapshot_generation_positive", "UPDATE snapshot SET generation = 0"),
        new Bad("snapshot_ceiling_not_negative", "UPDATE snapshot SET concurrency_ceiling = -1"),
        new Bad("snapshot_whole", "UPDATE snapshot SET revoked = true"),
        new Bad("snapshot_whole", "UPDATE snapshot SET plan = NULL"),
        new Bad("snapshot_leg_position", "UPDATE snapshot_leg SET position = -1"),
        new Bad("credential_set_is_one", "UPDATE credential_set SET one = false"),
        new Bad("credential_set_revision_not_negative", "UPDATE credential_set SET revision = -1"),
        new Bad("credential_digest_bits", "UPDATE credential SET digest = '\\x00'"),
        new Bad("credential_speaks_for_one_or_many", "UPDATE credential SET principal = NULL"),
        new Bad("credential_speaks_for_one_or_many", "UPDATE credential SET prefix = 'a'"),
        new Bad("credential_prefix_fits", "UPDATE credential SET principal = NULL, prefix = ''"),
        new Bad("credential_expires_after_issue", "UPDATE credential SET expires_at = 1"),
        new Bad("credential_activity_lane", "UPDATE credential_activity SET lane = 64"),
        new Bad("denial_minute_report_positive", "UPDATE denial_minute SET report = 0"),
        new Bad("denial_minute_position_not_negative", "UPDATE denial_minute SET position = -1"),
        new Bad("denial_minute_not_negative", "UPDATE denial_minute SET minute = -1"),
        new Bad("denial_minute_reason_is_a_label", "UPDATE denial_minute SET reason = 'no lease'"),
        new Bad("denial_minute_denials_positive", "UPDATE denial_minute SET denials = 0"),
        new Bad("denial_minute_quote_not_negative", "UPDATE denial_minute SET last_quote = -1"),
        new Bad(
            "assignment_prefix_fits",
            "INSERT INTO assignment VALUES (repeat('a', 257), 1, 'chat', 0, 1, NULL)"),
        new Bad(
            "assignment_generation_positive",
            "INSERT INTO assignment VALUES ('a', 0, 'chat', 0, 1, NULL)"),
        new Bad("assignment_plan_fits", "UPDATE assignment SET plan = ''"),
        new Bad("assignment_round_not_negative", "UPDATE assignment SET pending_round = -1"),
        new Bad(
            "assignment_ceiling_not_negative", "UPDATE assignment SET concurrency_ceiling = -1"),
        new Bad("assignment_leg_position", "UPDATE assignment_leg SET position = 8"),
        new Bad("assignment_leg_position", "UPDATE assignment_leg SET position = -1"),
        new Bad(
            "subject_name_fits",
            "INSERT INTO subject VALUES ('e3b0c442-98fc-1c14-9afb-f4c8996fb924', '', NULL)"),
        new Bad("subject_is_under_its_prefix", "UPDATE subject SET prefix = 'b'"),
        new Bad("subject_principal_is_its_hash", "UPDATE subject SET principal = " + ID));
  }

  @ParameterizedTest
  @MethodSource("badRows")
  void aBadRowIsRefused(Bad bad) {
    assertThatThrownBy(() -> execute(bad.sql()))
        .isInstanceOfSatisfying(
            PSQLException.class,
            e -> {
              assertThat(e.getSQLState()).startsWith("23");
              assertThat(e.getServerErrorMessage().getConstraint()).isIn(acceptable(bad));
            });
  }

  /** Where several checks overlap, PostgreSQL names the first by its own order. */
  private static Set<String> acceptable(Bad bad) {
    return bad.constraint().equals("usage_request_accepted")
        ? Set.of("usage_request_accepted")
        : bad.constraint().equals("usage_request_units_not_negative")
            ? Set.of("usage_request_units_not_negative", "usage_request_credit_bounded")
            : Set.of(bad.constraint());
  }

  @Test
  void everyConstraintHasItsBadRow() throws SQLException {
    final Set<String> tried = new TreeSet<>();
    badRows().forEach(bad -> tried.add(bad.constraint()));
    final Set<String> declared =
        new TreeSet<>(
            database.query(
                "SELECT conname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid"
                    + " WHERE c.contype = 'c' AND NOT t.relispartition AND t.relkind IN ('r', 'p')"
                    + " AND t.relnamespace = 'public'::regnamespace AND t.relname <> 'flyway_schema_history'"));
    declared.add("lease_fence_unique");

    assertThat(tried).isEqualTo(declared);
  }

  @Test
  void theTestTriggerRefusesLeasesThatDoNotAddUp() {
    assertThatThrownBy(
            () -> {
              execute("UPDATE lease SET billed = billed + 1 WHERE fence = 1");
              execute("SET CONSTRAINTS ALL IMMEDIATE");
            })
        .hasMessageContaining("its leases sum to");
  }

  private static void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Bad account(String constraint, String set) {
    return new Bad(constraint, "UPDATE account SET " + set);
  }
}
