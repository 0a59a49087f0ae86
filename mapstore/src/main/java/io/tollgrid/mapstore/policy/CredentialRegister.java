package io.tollgrid.mapstore.policy;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialBinding;
import io.tollgrid.ledger.policy.CredentialRecord;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.policy.RefusedPublicationException.Reason;
import io.tollgrid.mapstore.sql.Commits;
import io.tollgrid.mapstore.sql.SqlFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.OptionalLong;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The one way credentials get into PostgreSQL and out of force (R44).
 *
 * <p>Every change first takes the row of the set's revision, before any other lock; so changes are
 * one after the other, and a revision belongs to one state of all credentials. Blocks; thread-safe.
 */
public final class CredentialRegister {
  private final DataSource control;
  private final LedgerClock clock;

  /** Writes through {@code control}. */
  public CredentialRegister(final DataSource control, final LedgerClock clock) {
    this.control = control;
    this.clock = clock;
  }

  /**
   * Enters a credential. When this returns it is durable, and its secret may be disclosed.
   *
   * @throws RefusedPublicationException if its id or its digest was entered before
   * @throws SQLException if PostgreSQL failed: it may have been entered, so its secret must never
   *     be disclosed
   */
  public void issue(final CredentialRecord credential) throws SQLException {
    try {
      Commits.transact(
          control,
          connection -> {
            raiseRevision(connection);
            insert(connection, credential);
            return credential;
          });
    } catch (SQLException e) {
      if (SqlFailure.of(e) == SqlFailure.DUPLICATE) {
        throw new RefusedPublicationException(
            Reason.DUPLICATE_CREDENTIAL,
            "keyId: credential " + credential.keyId() + " was issued before, or its secret was");
      }
      throw e;
    }
  }

  /**
   * Takes a credential out of force for good; again changes nothing.
   *
   * @throws RefusedPublicationException if it was never issued
   * @throws SQLException if PostgreSQL failed; it may be out of force all the same
   */
  public void retire(final Id128 keyId) throws SQLException {
    change(
        keyId,
        clock.nowNanos(),
        "UPDATE credential SET retired_at = coalesce(retired_at, ?) WHERE key_id = ?");
  }

  /**
   * Lets a credential end at {@code atNanos} if it would be good for longer: what follows it in a
   * rotation is in force already.
   *
   * @throws RefusedPublicationException if it was never issued
   */
  public void expireBy(final Id128 keyId, final long atNanos) throws SQLException {
    change(
        keyId,
        atNanos,
        "UPDATE credential SET expires_at = greatest(issued_at + 1, least(expires_at, ?))"
            + " WHERE key_id = ?");
  }

  /** For whom a credential speaks, retired or not. */
  public CredentialBinding bindingOf(final Id128 keyId) throws SQLException {
    try (Connection connection = control.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT principal, prefix FROM credential WHERE key_id = ?")) {
      select.setObject(1, keyId.toUuid());
      try (ResultSet row = select.executeQuery()) {
        requireKnown(keyId, row.next() ? 1 : 0);
        final UUID principal = row.getObject(1, UUID.class);
        final CredentialBinding binding =
            principal == null
                ? new CredentialBinding.SubjectsUnder(row.getString(2))
                : new CredentialBinding.OneSubject(Id128.of(principal));
        connection.commit();
        return binding;
      }
    }
  }

  /**
   * When the latest event that names the credential and was accepted took place, epoch
   * microseconds; empty if none ever was (R24).
   */
  public OptionalLong lastUsedMicros(final Id128 keyId) throws SQLException {
    try (Connection connection = control.getConnection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT max(last_used_us) FROM credential_activity WHERE key_id = ?")) {
      select.setObject(1, keyId.toUuid());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        final long micros = row.getLong(1);
        final OptionalLong last = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(micros);
        connection.commit();
        return last;
      }
    }
  }

  private void change(final Id128 keyId, final long nanos, final String sql) throws SQLException {
    Commits.transact(
        control,
        connection -> {
          raiseRevision(connection);
          try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, nanos);
            update.setObject(2, keyId.toUuid());
            requireKnown(keyId, update.executeUpdate());
          }
          return keyId;
        });
  }

  private static void requireKnown(final Id128 keyId, final int rows) {
    if (rows == 0) {
      throw new RefusedPublicationException(
          Reason.UNKNOWN_CREDENTIAL, "keyId: there is no credential " + keyId);
    }
  }

  private static void raiseRevision(final Connection connection) throws SQLException {
    try (Statement raise = connection.createStatement()) {
      raise.executeUpdate("UPDATE credential_set SET revision = revision + 1");
    }
  }

  private void insert(final Connection connection, final CredentialRecord credential)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO credential (key_id, digest, principal, prefix, issued_at, expires_at)"
                + " VALUES (?, ?, ?, ?, ?, ?)")) {
      insert.setObject(1, credential.keyId().toUuid());
      insert.setBytes(2, credential.digest().toBytes());
      if (credential.binding() instanceof CredentialBinding.OneSubject one) {
        insert.setObject(3, one.principal().toUuid());
        insert.setNull(4, Types.VARCHAR);
      } else if (credential.binding() instanceof CredentialBinding.SubjectsUnder under) {
        insert.setNull(3, Types.OTHER);
        insert.setString(4, under.prefix());
      }
      insert.setLong(5, clock.nowNanos());
      insert.setLong(6, credential.expiresAtNanos());
      insert.executeUpdate();
    }
  }
}
