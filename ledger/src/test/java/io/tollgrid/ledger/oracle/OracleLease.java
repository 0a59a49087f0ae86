package io.tollgrid.ledger.oracle;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.ledger.LedgerCommand;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A lease as two purses, allowance and top-up: spending empties the allowance first, returning the
 * top-up first (R14).
 */
final class OracleLease {
  final Id128 id;
  final Id128 holder;
  final long fence;
  final LedgerCommand grantedBy;
  final long period;
  final BigInteger grantedAllowance;
  final BigInteger grantedTopUp;
  final long firstExpiry;
  final long grace;
  BigInteger allowanceLeft;
  BigInteger topUpLeft;
  BigInteger returnedAllowance = BigInteger.ZERO;
  BigInteger returnedTopUp = BigInteger.ZERO;
  BigInteger billed = BigInteger.ZERO;
  BigInteger loss = BigInteger.ZERO;
  LeaseState state = LeaseState.ACTIVE;
  long expiry;
  long endedAt;
  @Nullable LeaseStep lastStep;

  OracleLease(
      Id128 id,
      Id128 holder,
      long fence,
      LedgerCommand grantedBy,
      long period,
      BigInteger grantedAllowance,
      BigInteger grantedTopUp,
      long expiry,
      long grace) {
    this.id = id;
    this.holder = holder;
    this.fence = fence;
    this.grantedBy = grantedBy;
    this.period = period;
    this.grantedAllowance = grantedAllowance;
    this.grantedTopUp = grantedTopUp;
    this.firstExpiry = expiry;
    this.expiry = expiry;
    this.grace = grace;
    allowanceLeft = grantedAllowance;
    topUpLeft = grantedTopUp;
  }

  BigInteger granted() {
    return grantedAllowance.add(grantedTopUp);
  }

  BigInteger left() {
    return allowanceLeft.add(topUpLeft);
  }

  boolean active() {
    return state == LeaseState.ACTIVE;
  }

  void spend(BigInteger units) {
    final BigInteger ofAllowance = units.min(allowanceLeft);
    allowanceLeft = allowanceLeft.subtract(ofAllowance);
    topUpLeft = topUpLeft.subtract(units.subtract(ofAllowance));
    billed = billed.add(units);
  }

  /** Returns units; answers how many of them were allowance. */
  BigInteger giveBack(BigInteger units) {
    final BigInteger ofTopUp = units.min(topUpLeft);
    final BigInteger ofAllowance = units.subtract(ofTopUp);
    topUpLeft = topUpLeft.subtract(ofTopUp);
    allowanceLeft = allowanceLeft.subtract(ofAllowance);
    returnedTopUp = returnedTopUp.add(ofTopUp);
    returnedAllowance = returnedAllowance.add(ofAllowance);
    return ofAllowance;
  }

  void end(long now) {
    loss = left();
    allowanceLeft = BigInteger.ZERO;
    topUpLeft = BigInteger.ZERO;
    endedAt = now;
    state = loss.signum() == 0 ? LeaseState.SETTLED : LeaseState.LOSS;
  }

  void claim(BigInteger units) {
    loss = loss.subtract(units);
    billed = billed.add(units);
    if (loss.signum() == 0) {
      state = LeaseState.SETTLED;
    }
  }

  /** How the product's lease differs, or null if it does not. */
  @Nullable String difference(Lease lease) {
    final Lease mine =
        new Lease(
            id,
            holder,
            fence,
            lease.bodyHash(),
            period,
            grantedAllowance.longValueExact(),
            grantedTopUp.longValueExact(),
            returnedAllowance.longValueExact(),
            returnedTopUp.longValueExact(),
            billed.longValueExact(),
            loss.longValueExact(),
            state,
            firstExpiry,
            expiry,
            grace,
            endedAt,
            lastStep);
    return mine.equals(lease) ? null : "expected " + mine + " but was " + lease;
  }
}
