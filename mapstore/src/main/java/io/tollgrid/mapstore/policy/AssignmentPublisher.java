package io.tollgrid.mapstore.policy;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.CorruptLedgerException;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.Assignment;
import io.tollgrid.ledger.policy.AssignmentLeg;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.policy.RefusedPublicationException.Reason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one way assignments get into PostgreSQL, and subjects to their snapshots.
 *
 * <p>Generations are allocated here, and what is in force already changes nothing, as with {@link
 * PolicyPublisher}. Blocks; thread-safe.
 */
public final class AssignmentPublisher {
  /*
   * Everything that becomes of a subject is one derivation: find the longest assignment, publish its snapshot, or revoke
   * the one that an assignment left behind. An introduction is a derivation, and so is what a change of an assignment
   * does to each subject under its prefix, one transaction each: none holds accounts for longer than a publication does.
   *
   * `subject.prefix` says whose hand a principal is in: the assignment's of that prefix, or, if it is null and there is
   * a record of the principal, the operator's.
   *
   * A derivation shares a lock that a change of assignments takes alone. So whatever was derived from the assignments as
   * they were before a change is committed when the change is, and found by the pass that follows it.
   */
  private static final Logger LOG = LoggerFactory.getLogger(AssignmentPublisher.class);

  private static final int BATCH = 100;

  private static final AccountPolicy PERMISSIVE =
      new AccountPolicy(
          1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT, false);

  private final SnapshotWriter writer;
  private final LedgerClock clock;

  /** Writes through {@code control}. */
  public AssignmentPublisher(
      final DataSource control, final SnapshotCheck check, final LedgerClock clock) {
    this.writer = new SnapshotWriter(control, check, clock);
    this.clock = clock;
  }

  /**
   * Puts an assignment into force. Snapshots of subjects that were introduced follow with {@link
   * #deriveSome}; publishing the same again lets all of them be derived again.
   *
   * @return the assignment with the generation under which it is in force
   * @throws RefusedPublicationException if its plan or a shared account cannot be used, or no
   *     snapshot could come of it; nothing changed
   * @throws SQLException if PostgreSQL failed; it may be in force all the same
   */
  public Assignment publish(final Assignment assignment) throws SQLException {
    return writer.transact(
        connection -> {
          SnapshotWriter.lockAssignments(connection);
          judge(connection, assignment);
          final String prefix = assignment.prefix();
          final Assignment before = new PolicySelects(connection).assignment(List.of(prefix));
          if (before != null && before.equals(assignment.withGeneration(before.generation()))) {
            deriveAll(connection, before);
            return before;
          }
          final Assignment next =
              assignment.withGeneration(Math.addExact(newest(connection, prefix), 1));
          insert(connection, prefix, next.generation(), next);
          return next;
        });
  }

  /**
   * Withdraws the assignment of a prefix, once; snapshots follow with {@link #deriveSome}.
   *
   * @throws RefusedPublicationException if nothing was ever assigned to the prefix
   * @throws SQLException if PostgreSQL failed; it may be withdrawn all the same
   */
  public void withdraw(final String prefix) throws SQLException {
    writer.transact(
        connection -> {
          SnapshotWriter.lockAssignments(connection);
          final long newest = newest(connection, prefix);
          if (newest == 0) {
            throw new RefusedPublicationException(
                Reason.UNKNOWN_ASSIGNMENT, "prefix: nothing was ever assigned to it");
          }
          if (new PolicySelects(connection).assignment(List.of(prefix)) == null) {
            return newest;
          }
          final long next = Math.addExact(newest, 1);
          insert(connection, prefix, next, null);
          return next;
        });
  }

  /**
   * Derives a subject's snapshot from the longest assignment its name begins with; if there is
   * none, remembers that. What an operator published or revoked stays as it is.
   *
   * @throws RefusedPublicationException if its snapshot must not come into force; nothing changed
   * @throws SQLException if PostgreSQL failed; it may be introduced all the same
   */
  public Introduction introduce(final Subject subject) throws SQLException {
    return derive(subject).introduction();
  }

  /**
   * Subjects that were introduced and have no plan, in order of their principals.
   *
   * @param after only principals above this one; {@link Id128#ZERO} from the first
   * @param limit 1 to {@link PolicyQuery#MAX_IDS}
   */
  public List<Subject> withoutPlan(final Id128 after, final int limit) throws SQLException {
    final PolicyQuery.Page page = new PolicyQuery.Page(after, limit);
    return writer.transact(
        connection -> new PolicySelects(connection).withoutPlan(page.after(), page.limit()));
  }

  /**
   * Derives again, after a change of an assignment, the snapshots of some subjects under it. Many
   * may do so at once: each change is made, and told, by one.
   *
   * <p>Whose new snapshot is refused keeps the old one while its assignment is in force, and is
   * revoked when it is not.
   *
   * @param changed told each principal whose record changed, once that is durable
   * @return whether there was anything left to derive
   */
  public boolean deriveSome(final Consumer<Id128> changed) throws SQLException {
    final Optional<Pending> found = writer.transact(AssignmentPublisher::pending);
    if (found.isEmpty()) {
      return false;
    }
    final Pending pending = found.get();
    int refused = 0;
    for (final Subject subject : pending.subjects()) {
      boolean isChanged;
      try {
        isChanged = derive(subject).changed();
      } catch (RefusedPublicationException | IllegalArgumentException | CorruptLedgerException e) {
        // One subject's is not the others': they go on, and so do other assignments (R36).
        if (refused++ == 0) {
          LOG.warn("{} does not follow its assignment: {}", subject, e.getMessage());
        }
        isChanged = abandon(subject);
      }
      if (isChanged) {
        changed.accept(subject.principal());
      }
    }
    if (refused > 1) {
      LOG.warn("nor do {} more of {} subjects", refused - 1, pending.subjects().size());
    }
    writer.transact(connection -> done(connection, pending));
    return true;
  }

  private record Derived(Introduction introduction, boolean changed) {}

  private Derived derive(final Subject subject) throws SQLException {
    return writer.transact(
        connection -> {
          SnapshotWriter.shareAssignments(connection);
          final Assignment assignment =
              new PolicySelects(connection).assignment(subject.prefixes());
          final PrincipalSnapshot next =
              assignment == null ? null : assignment.snapshotOf(subject.principal());
          if (assignment != null
              && assignment.prefix().equals(source(connection, subject))
              && isInForce(next, SnapshotWriter.read(connection, subject.principal()))) {
            return new Derived(Introduction.PUBLISHED, false);
          }
          final Map<Id128, AccountPolicy> accounts =
              next == null ? Map.of() : SnapshotWriter.hold(connection, next);
          final PrincipalPolicy before =
              SnapshotWriter.lockAndRead(connection, subject.principal());
          final String source = source(connection, subject);
          if (before != null && source == null) {
            return new Derived(asItIs(before), false);
          }
          if (assignment == null || next == null) {
            remember(connection, subject, source);
            return new Derived(Introduction.NO_PLAN, revoke(connection, before));
          }
          final PrincipalSnapshot published = writer.publish(connection, next, accounts, before);
          remember(connection, subject, assignment.prefix());
          return new Derived(
              Introduction.PUBLISHED,
              before == null || before.generation() != published.generation());
        });
  }

  private static boolean isInForce(
      final @Nullable PrincipalSnapshot next, final @Nullable PrincipalPolicy record) {
    return next != null
        && record instanceof PrincipalPolicy.Published published
        && published.snapshot().equals(next.withGeneration(record.generation()));
  }

  private static Introduction asItIs(final PrincipalPolicy policy) {
    return policy instanceof PrincipalPolicy.Published
        ? Introduction.PUBLISHED
        : Introduction.refused("principal: " + policy.principal() + " was revoked by an operator");
  }

  /** Revokes a subject that cannot follow if what its snapshot was derived from is gone. */
  private boolean abandon(final Subject subject) throws SQLException {
    return writer.transact(
        connection -> {
          SnapshotWriter.shareAssignments(connection);
          final PrincipalPolicy before =
              SnapshotWriter.lockAndRead(connection, subject.principal());
          final String source = source(connection, subject);
          return source != null
              && new PolicySelects(connection).assignment(List.of(source)) == null
              && revoke(connection, before);
        });
  }

  private boolean revoke(final Connection connection, final @Nullable PrincipalPolicy before)
      throws SQLException {
    return before instanceof PrincipalPolicy.Published
        && writer.revoke(connection, before).generation() > before.generation();
  }

  /** What can be judged before any subject is known. */
  private void judge(final Connection connection, final Assignment assignment) throws SQLException {
    final List<Id128> shared = assignment.sharedAccounts();
    final Map<Id128, AccountPolicy> accounts = SnapshotWriter.hold(connection, shared);
    SnapshotWriter.requireOpen(shared, accounts);
    // A subject's own account is judged with its subject; until then it takes one that forbids
    // nothing.
    final Map<Id128, AccountPolicy> all = new HashMap<>(accounts);
    all.put(Id128.ZERO, PERMISSIVE);
    writer.judge(connection, assignment.snapshotOf(Id128.ZERO), all);
  }

  /** Subjects that are to be derived again, because of this generation of an assignment. */
  private record Pending(
      String prefix, long generation, long round, Id128 after, List<Subject> subjects) {
    @Nullable Id128 last() {
      return subjects.size() < BATCH ? null : subjects.get(BATCH - 1).principal();
    }
  }

  private static Optional<Pending> pending(final Connection connection) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT prefix, generation, pending_after, pending_round FROM assignment"
                    + " WHERE pending_after IS NOT NULL ORDER BY prefix, generation LIMIT 1");
        ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        return Optional.empty();
      }
      final String prefix = row.getString(1);
      final Id128 after = Id128.of(row.getObject(3, UUID.class));
      return Optional.of(
          new Pending(
              prefix,
              row.getLong(2),
              row.getLong(4),
              after,
              new PolicySelects(connection).subjects(after, prefix, BATCH)));
    }
  }

  /** Goes on behind the last of them, unless another did or everybody is to be derived anew. */
  private static int done(final Connection connection, final Pending pending) throws SQLException {
    final Id128 last = pending.last();
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE assignment SET pending_after = ?"
                + " WHERE prefix = ? AND generation = ? AND pending_after = ?"
                + " AND pending_round = ?")) {
      update.setObject(1, last == null ? null : last.toUuid(), Types.OTHER);
      update.setString(2, pending.prefix());
      update.setLong(3, pending.generation());
      update.setObject(4, pending.after().toUuid());
      update.setLong(5, pending.round());
      return update.executeUpdate();
    }
  }

  private static void deriveAll(final Connection connection, final Assignment assignment)
      throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE assignment SET pending_after = ?, pending_round = pending_round + 1"
                + " WHERE prefix = ? AND generation = ?")) {
      update.setObject(1, Id128.ZERO.toUuid());
      update.setString(2, assignment.prefix());
      update.setLong(3, assignment.generation());
      update.executeUpdate();
    }
  }

  private static long newest(final Connection connection, final String prefix) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT coalesce(max(generation), 0) FROM assignment WHERE prefix = ?")) {
      select.setString(1, prefix);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private void insert(
      final Connection connection,
      final String prefix,
      final long generation,
      final @Nullable Assignment assignment)
      throws SQLException {
    try (PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO assignment (prefix, generation, plan, concurrency_ceiling,"
                    + " published_at, pending_after) VALUES (?, ?, ?, ?, ?, ?)");
        PreparedStatement legs =
            connection.prepareStatement(
                "INSERT INTO assignment_leg (prefix, generation, position, account, meters)"
                    + " VALUES (?, ?, ?, ?, ?)")) {
      insert.setString(1, prefix);
      insert.setLong(2, generation);
      insert.setString(3, assignment == null ? null : assignment.plan());
      insert.setLong(4, assignment == null ? 0 : assignment.concurrencyCeiling());
      insert.setLong(5, clock.nowNanos());
      insert.setObject(6, Id128.ZERO.toUuid());
      insert.executeUpdate();
      final List<AssignmentLeg> all = assignment == null ? List.of() : assignment.legs();
      for (int i = 0; i < all.size(); i++) {
        final Id128 account = all.get(i).account();
        legs.setString(1, prefix);
        legs.setLong(2, generation);
        legs.setInt(3, i);
        legs.setObject(4, account == null ? null : account.toUuid(), Types.OTHER);
        legs.setArray(5, SnapshotWriter.text(connection, all.get(i).meters()));
        legs.addBatch();
      }
      legs.executeBatch();
    }
  }

  /** The prefix of the assignment a subject's record was derived from, or null. */
  private static @Nullable String source(final Connection connection, final Subject subject)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT prefix FROM subject WHERE principal = ?")) {
      select.setObject(1, subject.principal().toUuid());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }

  private static void remember(
      final Connection connection, final Subject subject, final @Nullable String source)
      throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement(
            "INSERT INTO subject (principal, name, prefix) VALUES (?, ?, ?)"
                + " ON CONFLICT (principal) DO UPDATE SET prefix = excluded.prefix"
                + " WHERE subject.prefix IS DISTINCT FROM excluded.prefix")) {
      upsert.setObject(1, subject.principal().toUuid());
      upsert.setString(2, subject.name());
      upsert.setString(3, source);
      upsert.executeUpdate();
    }
  }
}
