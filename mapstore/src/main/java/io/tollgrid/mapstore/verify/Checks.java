package io.tollgrid.mapstore.verify;

import io.tollgrid.mapstore.schema.MonthPartitions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The checks that SQL does alone. Each returns one row per disagreement, the account and what
 * disagrees, and nothing when all is well.
 *
 * <p>Each looks at a range of accounts: its parameters are the first and the last of them, over and
 * over. Sums are {@code numeric}: a check must not fail on the very overflow it looks for.
 */
final class Checks {
  /**
   * One check.
   *
   * @param name short, stable
   * @param sql returns account and details
   */
  record Check(String name, String sql) {
    /** The id from which on all are known; older ones may have been forgotten (R20). */
    private static final String KNOWN =
        "(SELECT coalesce(min(value), repeat('0', 32))::uuid FROM ledger_settings"
            + " WHERE name = '"
            + MonthPartitions.FIRST_REQUEST_ID
            + "')";

    Check {
      sql = sql.replace("KNOWN", KNOWN);
    }

    /** Asks for the disagreements of a range. */
    PreparedStatement of(Connection connection, AccountRange range) throws SQLException {
      final PreparedStatement statement = connection.prepareStatement(sql);
      final int parameters = Math.toIntExact(sql.chars().filter(c -> c == '?').count());
      for (int i = 1; i <= parameters; i += 2) {
        statement.setObject(i, range.first().toUuid());
        statement.setObject(i + 1, range.last().toUuid());
      }
      return statement;
    }
  }

  static final List<Check> ALL =
      List.of(
          new Check(
              "conservation",
              """
              SELECT id, format(
                  'deposited %s + overage %s is not allowance %s + top-up %s + outstanding %s + billed %s'
                  ' + loss %s + archived loss %s + expired %s, or one of them is negative (unfunded %s)',
                  deposited, overage, allowance, top_up, outstanding, billed, loss_resident, loss_archived,
                  expired, unfunded)
              FROM account
              WHERE id BETWEEN ? AND ?
                AND (deposited::numeric + overage <> allowance::numeric + top_up + outstanding + billed
                       + loss_resident + loss_archived + expired
                  OR LEAST(deposited, overage, allowance, top_up, outstanding, billed, loss_resident,
                           loss_archived, expired, unfunded) < 0
                  OR deposited::numeric + overage > 9223372036854775807)
              """),
          new Check(
              "leases",
              """
              SELECT coalesce(a.id, l.account), CASE WHEN a.id IS NULL THEN 'leases without an account' ELSE format(
                  'outstanding %s, loss %s, archived loss %s; its leases sum to %s, %s, %s',
                  a.outstanding, a.loss_resident, a.loss_archived,
                  coalesce(l.active, 0), coalesce(l.resident, 0), coalesce(l.archived, 0)) END
              FROM (SELECT * FROM account WHERE id BETWEEN ? AND ?) a FULL JOIN (
                SELECT account,
                       coalesce(sum(granted_allowance::numeric + granted_top_up - returned_allowance
                                    - returned_top_up - billed) FILTER (WHERE state = 0), 0) AS active,
                       coalesce(sum(loss) FILTER (WHERE state = 1), 0) AS resident,
                       coalesce(sum(loss) FILTER (WHERE state = 2), 0) AS archived
                FROM lease WHERE account BETWEEN ? AND ? GROUP BY account) l ON l.account = a.id
              WHERE a.id IS NULL OR a.outstanding <> coalesce(l.active, 0)
                 OR a.loss_resident <> coalesce(l.resident, 0) OR a.loss_archived <> coalesce(l.archived, 0)
              """),
          new Check(
              "fences",
              """
              SELECT a.id, format('next fence %s after %s leases, the highest fence is %s',
                  a.next_fence, coalesce(l.leases, 0), coalesce(l.highest, 0))
              FROM account a LEFT JOIN (
                SELECT account, count(*) AS leases, max(fence) AS highest
                FROM lease WHERE account BETWEEN ? AND ? GROUP BY account) l ON l.account = a.id
              WHERE a.id BETWEEN ? AND ?
                AND (a.next_fence <> coalesce(l.leases, 0) + 1 OR a.next_fence <> coalesce(l.highest, 0) + 1)
              """),
          new Check(
              "usage",
              """
              SELECT coalesce(a.id, u.account), CASE WHEN a.id IS NULL THEN 'usage without an account' ELSE format(
                  'billed %s, overage %s, unfunded %s; its usage sums to %s, %s, %s', a.billed, a.overage, a.unfunded,
                  coalesce(u.billed, 0), coalesce(u.overage, 0), coalesce(u.unfunded, 0)) END
              FROM (SELECT * FROM account WHERE id BETWEEN ? AND ?) a FULL JOIN (
                SELECT account,
                       coalesce(sum(units) FILTER (WHERE verdict IN (0, 1, 2)), 0) AS billed,
                       coalesce(sum(units) FILTER (WHERE verdict = 2), 0) AS overage,
                       coalesce(sum(units) FILTER (WHERE verdict = 3), 0) AS unfunded
                FROM usage_event WHERE kind = 0 AND account BETWEEN ? AND ? GROUP BY account) u ON u.account = a.id
              WHERE a.id IS NULL OR a.billed <> coalesce(u.billed, 0) OR a.overage <> coalesce(u.overage, 0)
                 OR a.unfunded <> coalesce(u.unfunded, 0)
              """),
          new Check(
              "lease usage",
              """
              SELECT coalesce(l.account, u.account), format('lease %s was billed %s, its usage sums to %s',
                  replace(coalesce(l.id, u.lease_id)::text, '-', ''), coalesce(l.billed, 0), coalesce(u.units, 0))
              FROM (SELECT * FROM lease WHERE account BETWEEN ? AND ?) l FULL JOIN (
                SELECT account, lease_id, sum(units) AS units FROM usage_event
                WHERE kind = 0 AND funding = 0 AND account BETWEEN ? AND ? GROUP BY account, lease_id) u
                ON u.account = l.account AND u.lease_id = l.id
              WHERE coalesce(l.billed, 0) <> coalesce(u.units, 0) OR l.id IS NULL
              """),
          new Check(
              "request ids",
              """
              SELECT coalesce(r.account, e.account), format(
                  'request %s/%s is recorded as %s units and remembered as %s',
                  replace(coalesce(r.request_id, e.request_id)::text, '-', ''), coalesce(r.part, e.part),
                  coalesce(e.units::text, 'no'), coalesce(r.units::text, 'no'))
              FROM (SELECT * FROM usage_request WHERE account BETWEEN ? AND ?) r FULL JOIN (
                SELECT * FROM usage_event WHERE kind = 0 AND account BETWEEN ? AND ? AND request_id >= KNOWN) e
                ON e.account = r.account AND e.request_id = r.request_id AND e.part = r.part
              WHERE r.units IS DISTINCT FROM e.units OR r.verdict IS DISTINCT FROM e.verdict
                 OR r.writer IS DISTINCT FROM e.writer OR r.sequence IS DISTINCT FROM e.sequence
              """),
          new Check(
              "credits",
              """
              SELECT coalesce(r.account, c.account), format('request %s/%s was credited %s, its credits sum to %s',
                  replace(coalesce(r.request_id, c.request_id)::text, '-', ''), coalesce(r.part, c.part),
                  coalesce(r.credited, 0), coalesce(c.units, 0))
              FROM (SELECT * FROM usage_request WHERE credited <> 0 AND account BETWEEN ? AND ?) r FULL JOIN (
                SELECT account, request_id, part, sum(units) AS units FROM usage_event
                WHERE kind = 1 AND account BETWEEN ? AND ? AND request_id >= KNOWN GROUP BY account, request_id, part) c
                ON c.account = r.account AND c.request_id = r.request_id AND c.part = r.part
              WHERE coalesce(r.credited, 0) <> coalesce(c.units, 0)
              """),
          new Check(
              "deposits",
              """
              SELECT coalesce(a.id, d.account), CASE WHEN a.id IS NULL THEN 'deposits without an account' ELSE format(
                  'deposited %s, its deposits sum to %s; %s of them credits, its credits sum to %s',
                  a.deposited, coalesce(d.units, 0), coalesce(d.credits, 0), coalesce(c.units, 0)) END
              FROM (SELECT * FROM account WHERE id BETWEEN ? AND ?) a FULL JOIN (
                SELECT account, sum(units) AS units, coalesce(sum(units) FILTER (WHERE source = 2), 0) AS credits
                FROM deposit WHERE account BETWEEN ? AND ? GROUP BY account) d ON d.account = a.id
              LEFT JOIN (
                SELECT account, sum(units) AS units
                FROM usage_event WHERE kind = 1 AND account BETWEEN ? AND ? GROUP BY account) c ON c.account = a.id
              WHERE a.id IS NULL OR a.deposited <> coalesce(d.units, 0)
                 OR coalesce(d.credits, 0) <> coalesce(c.units, 0)
              """),
          new Check(
              "journal",
              """
              SELECT coalesce(a.id, j.account), CASE WHEN a.id IS NULL THEN 'a journal without an account' ELSE format(
                  'version %s, its journal has %s entries from %s to %s', a.version, coalesce(j.entries, 0),
                  coalesce(j.first, 0), coalesce(j.last, 0)) END
              FROM (SELECT * FROM account WHERE id BETWEEN ? AND ?) a FULL JOIN (
                SELECT account, count(*) AS entries, min(version) AS first, max(version) AS last
                FROM journal WHERE account BETWEEN ? AND ? GROUP BY account) j ON j.account = a.id
              WHERE a.id IS NULL OR j.account IS NULL OR j.first <> 1 OR j.last <> a.version
                 OR j.entries <> a.version
              """),
          new Check(
              "drift",
              """
              SELECT a.id, format('the numbers of version %s are not those its journal left it with', a.version)
              FROM account a JOIN journal j ON j.account = a.id AND j.version = a.version
              WHERE a.id BETWEEN ? AND ? AND
                    (a.as_of, a.deposited, a.overage, a.allowance, a.top_up, a.outstanding, a.billed,
                     a.loss_resident, a.loss_archived, a.expired, a.unfunded, a.next_fence,
                     a.policy_generation, a.period_number)
                 IS DISTINCT FROM
                    (j.ledger_time, j.deposited, j.overage, j.allowance, j.top_up, j.outstanding, j.billed,
                     j.loss_resident, j.loss_archived, j.expired, j.unfunded, j.next_fence,
                     j.policy_generation, j.period_number)
              """),
          new Check(
              "commands",
              """
              SELECT c.account, format('command %s is remembered at version %s, of which the journal knows nothing',
                  replace(c.id::text, '-', ''), c.version)
              FROM command c LEFT JOIN journal j
                ON j.account = c.account AND j.version = c.version AND j.command_id = c.id
              WHERE c.account BETWEEN ? AND ? AND j.account IS NULL
              """));

  private Checks() {}
}
