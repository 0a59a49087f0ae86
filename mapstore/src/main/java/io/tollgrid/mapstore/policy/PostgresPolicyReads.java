package io.tollgrid.mapstore.policy;

import io.tollgrid.ledger.CorruptLedgerException;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.ledger.port.PolicyReads;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/** Policies from PostgreSQL, each answer from one snapshot of it. Thread-safe. */
public final class PostgresPolicyReads implements PolicyReads {
  private static final String ONE_VIEW =
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

  private final DataSource policies;

  /** Reads through {@code policies}. */
  public PostgresPolicyReads(final DataSource policies) {
    this.policies = policies;
  }

  private interface Reading<T> {
    T from(Connection connection) throws SQLException;
  }

  @Override
  public PolicySet read(final PolicyQuery query) {
    return inOneView(connection -> answer(query, new PolicySelects(connection)));
  }

  @Override
  public CredentialPage credentials(final Id128 after, final int limit) {
    return inOneView(connection -> new PolicySelects(connection).credentials(after, limit));
  }

  private <T> T inOneView(final Reading<T> reading) {
    try (Connection connection = policies.getConnection();
        Statement first = connection.createStatement()) {
      first.execute(ONE_VIEW);
      final T answer = reading.from(connection);
      connection.commit();
      return answer;
    } catch (SQLException e) {
      throw new LedgerCodeException(LedgerCode.UNAVAILABLE, "policies could not be read", e);
    } catch (IllegalArgumentException | CorruptLedgerException e) {
      throw new LedgerCodeException(LedgerCode.CORRUPT, "a stored policy is impossible", e);
    }
  }

  private static PolicySet answer(final PolicyQuery query, final PolicySelects selects)
      throws SQLException {
    if (query instanceof PolicyQuery.ByPrincipal by) {
      return whole(selects.principals(by.principals()), selects);
    }
    if (query instanceof PolicyQuery.Page page) {
      return whole(selects.page(page.after(), page.limit()), selects);
    }
    if (query instanceof PolicyQuery.ByAccount by) {
      return new PolicySet(selects.accounts(by.accounts(), ""), List.of(), List.of());
    }
    final PolicyQuery.ByPlan by = (PolicyQuery.ByPlan) query;
    return new PolicySet(Map.of(), selects.plans(List.of(by.name())), List.of());
  }

  /** Principals with everything their snapshots name. */
  private static PolicySet whole(
      final List<PrincipalPolicy> principals, final PolicySelects selects) throws SQLException {
    final Set<Id128> accounts = new LinkedHashSet<>();
    final Set<String> plans = new LinkedHashSet<>();
    for (final PrincipalPolicy principal : principals) {
      if (principal instanceof PrincipalPolicy.Published published) {
        final PrincipalSnapshot snapshot = published.snapshot();
        plans.add(snapshot.plan());
        snapshot.legs().stream().map(SnapshotLeg::account).forEach(accounts::add);
      }
    }
    return new PolicySet(selects.accounts(accounts, ""), selects.plans(plans), principals);
  }
}
