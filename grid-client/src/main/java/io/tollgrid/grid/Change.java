package io.tollgrid.grid;

import io.tollgrid.ledger.CanonicalReader;
import io.tollgrid.ledger.CanonicalWriter;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.MalformedBytesException;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.policy.PolicyName;

/**
 * Something has changed that instances may want to know soon: a hint, sent once and to everybody.
 *
 * <p>Nothing depends on its arrival. What is said here is found out anyway, at the latest by the
 * next refresh or backstop; and what a policy now says is always read from the authority (R37).
 */
public sealed interface Change {
  /**
   * An account has, or may have, more units to lease (R55).
   *
   * @param account the account
   * @param version the ledger version they are in
   */
  record FundingRaised(Id128 account, long version) implements Change {}

  /**
   * Someone needs units of an account that others hold (R2).
   *
   * @param account the account
   * @param recall who, and how many
   */
  record UnitsRecalled(Id128 account, Recall recall) implements Change {}

  /**
   * An account's policy has changed.
   *
   * @param account the account
   */
  record AccountChanged(Id128 account) implements Change {}

  /**
   * A plan was published.
   *
   * @param plan its name
   */
  record PlanChanged(String plan) implements Change {
    /** Refuses what no plan can be called. */
    public PlanChanged {
      PolicyName.require("plan", plan);
    }
  }

  /**
   * A principal's snapshot was published, or the principal was revoked.
   *
   * @param principal who
   */
  record PrincipalChanged(Id128 principal) implements Change {}

  /**
   * A credential was taken out of force, for good.
   *
   * @param keyId its id
   */
  record CredentialRetired(Id128 keyId) implements Change {}

  /** Credentials were issued, or end earlier. */
  record CredentialsChanged() implements Change {}

  /** The version of the form this code writes. */
  int VERSION = 1;

  /** Its canonical form. */
  default byte[] toBytes() {
    final CanonicalWriter out = new CanonicalWriter().u8(VERSION);
    if (this instanceof FundingRaised raised) {
      out.u8(0).id(raised.account()).i64(raised.version());
    } else if (this instanceof UnitsRecalled recalled) {
      final Recall recall = recalled.recall();
      out.u8(1)
          .id(recalled.account())
          .i64(recall.units())
          .id(recall.holder())
          .i64(recall.sinceNanos())
          .i64(recall.expiresAtNanos());
    } else if (this instanceof AccountChanged changed) {
      out.u8(2).id(changed.account());
    } else if (this instanceof PlanChanged changed) {
      out.u8(3).text(changed.plan());
    } else if (this instanceof PrincipalChanged changed) {
      out.u8(4).id(changed.principal());
    } else if (this instanceof CredentialRetired retired) {
      out.u8(5).id(retired.keyId());
    } else if (this instanceof CredentialsChanged) {
      out.u8(6);
    }
    return out.toBytes();
  }

  /**
   * Reads {@link #toBytes}.
   *
   * @throws MalformedBytesException if they are not the form of a change, or of a later version
   */
  static Change fromBytes(byte[] bytes) {
    return CanonicalReader.read(
        bytes,
        in -> {
          final int version = in.u8();
          final int kind = in.u8();
          if (version != VERSION) {
            throw new MalformedBytesException("a change in an unknown version, " + version);
          }
          return switch (kind) {
            case 0 -> new FundingRaised(in.id(), in.i64());
            case 1 -> new UnitsRecalled(in.id(), new Recall(in.i64(), in.id(), in.i64(), in.i64()));
            case 2 -> new AccountChanged(in.id());
            case 3 -> new PlanChanged(in.text());
            case 4 -> new PrincipalChanged(in.id());
            case 5 -> new CredentialRetired(in.id());
            case 6 -> new CredentialsChanged();
            default -> throw new MalformedBytesException("no change has number " + kind);
          };
        });
  }
}
