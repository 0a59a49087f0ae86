package io.tollgrid.node.policy;

import io.tollgrid.client.CredentialKey;
import io.tollgrid.client.CredentialToken;
import io.tollgrid.grid.Change;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialBinding;
import io.tollgrid.ledger.policy.CredentialRecord;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.mapstore.policy.CredentialRegister;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Issues credentials and takes them out of force (R44). A secret exists here between its making and
 * the return of {@link #issue}, and nowhere afterwards. Blocks; thread-safe.
 */
public final class Credentials {
  private final CredentialRegister register;
  private final CredentialKey key;
  private final LedgerClock clock;
  private final ChangeFeed changes;
  private final SecureRandom random = new SecureRandom();

  /** Credentials in {@code register}, digested under {@code key}. */
  public Credentials(
      final CredentialRegister register,
      final CredentialKey key,
      final LedgerClock clock,
      final ChangeFeed changes) {
    this.register = register;
    this.key = key;
    this.clock = clock;
    this.changes = changes;
  }

  /**
   * A credential that was just issued: the only time its secret is told.
   *
   * @param keyId its id
   * @param token what its holder presents
   */
  public record Issued(Id128 keyId, String token) {
    /** Keeps the token to itself. */
    @Override
    public String toString() {
      return "credential " + keyId;
    }
  }

  /**
   * Issues a credential; it is durable when this returns.
   *
   * @param binding for whom it speaks
   * @param expiresAtNanos first instant at which it is no longer good, epoch nanoseconds
   * @throws IllegalArgumentException if that is past
   * @throws SQLException if PostgreSQL failed; its secret is told to nobody then
   */
  public Issued issue(final CredentialBinding binding, final long expiresAtNanos)
      throws SQLException {
    final long nowNanos = clock.nowNanos();
    if (expiresAtNanos <= nowNanos) {
      throw new IllegalArgumentException(
          "expiresAt: a credential cannot end at "
              + expiresAtNanos
              + ", "
              + (nowNanos - expiresAtNanos)
              + " ns ago");
    }
    final Id128 keyId = new Id128(random.nextLong(), random.nextLong());
    final byte[] secret = new byte[CredentialToken.RANDOM_BYTES];
    random.nextBytes(secret);
    final byte[] token = CredentialToken.of(keyId, secret);
    Arrays.fill(secret, (byte) 0);
    register.issue(
        new CredentialRecord(keyId, key.digest(token, token.length), binding, expiresAtNanos));
    changes.publish(new Change.CredentialsChanged());
    return new Issued(keyId, new String(token, StandardCharsets.US_ASCII));
  }

  /**
   * Takes a credential out of force for good; instances hear of it at once.
   *
   * @throws io.tollgrid.mapstore.policy.RefusedPublicationException if it was never issued
   */
  public void retire(final Id128 keyId) throws SQLException {
    register.retire(keyId);
    changes.publish(new Change.CredentialRetired(keyId));
  }

  /** When it was last used; see {@link CredentialRegister#lastUsedMicros}. */
  public OptionalLong lastUsedMicros(final Id128 keyId) throws SQLException {
    return register.lastUsedMicros(keyId);
  }

  /**
   * Issues a credential for whom another speaks, and lets that one end after {@code overlap}.
   *
   * @throws io.tollgrid.mapstore.policy.RefusedPublicationException if it was never issued
   */
  public Issued rotate(final Id128 keyId, final Duration overlap, final long expiresAtNanos)
      throws SQLException {
    final Issued next = issue(register.bindingOf(keyId), expiresAtNanos);
    register.expireBy(keyId, Math.addExact(clock.nowNanos(), overlap.toNanos()));
    changes.publish(new Change.CredentialsChanged());
    return next;
  }
}
