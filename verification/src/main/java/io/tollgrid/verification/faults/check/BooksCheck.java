package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Conservation;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageVerdict;
import java.math.BigInteger;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Balances an account's stored numbers against its stored rows (R10). */
final class BooksCheck {
  private static final Set<UsageVerdict> ON_LEASES =
      EnumSet.of(UsageVerdict.LEASED, UsageVerdict.STRAGGLER);

  private final Findings findings;

  BooksCheck(Findings findings) {
    this.findings = findings;
  }

  void check(StoredAccount stored) {
    final AccountNumbers n = stored.numbers();
    if (n.lossResident() < 0
        || n.lossArchived() < 0
        || n.lossResident() > Long.MAX_VALUE - n.lossArchived()
        || !Conservation.holds(
            n.deposited(),
            n.overage(),
            n.allowance(),
            n.topUp(),
            n.outstanding(),
            n.billed(),
            n.lossResident() + n.lossArchived(),
            n.expired())) {
      findings.add(Violation.Kind.UNBALANCED, null, "books that balance", n.toString());
    }
    final Collection<StoredRow> rows = stored.rows().values();
    same("deposited", n.deposited(), BigInteger.valueOf(stored.fundedUnits()));
    same("outstanding", n.outstanding(), leases(rows, in(LeaseState.ACTIVE), Lease::remaining));
    same("loss_resident", n.lossResident(), leases(rows, in(LeaseState.LOSS), Lease::remaining));
    same(
        "loss_archived", n.lossArchived(), leases(rows, in(LeaseState.ARCHIVED), Lease::remaining));
    final BigInteger onLeases = usage(rows, ON_LEASES);
    final BigInteger overage = usage(rows, EnumSet.of(UsageVerdict.OVERAGE));
    same("overage", n.overage(), overage);
    same("billed", n.billed(), onLeases.add(overage));
    same("unfunded", n.unfunded(), usage(rows, EnumSet.of(UsageVerdict.UNFUNDED)));
    final BigInteger billedOnLeases = leases(rows, lease -> true, Lease::billed);
    if (!billedOnLeases.equals(onLeases)) {
      findings.add(
          Violation.Kind.UNBALANCED,
          null,
          "leases billed for the " + onLeases + " units of their usage rows",
          billedOnLeases.toString());
    }
    final long newestFence =
        rows.stream()
            .filter(StoredRow.LeaseRow.class::isInstance)
            .mapToLong(row -> ((StoredRow.LeaseRow) row).lease().fence())
            .max()
            .orElse(0);
    if (newestFence != n.nextFence() - 1) {
      findings.add(
          Violation.Kind.FENCE_REUSED,
          null,
          "fence " + (n.nextFence() - 1) + " on the newest lease",
          String.valueOf(newestFence));
    }
    final long fences =
        rows.stream()
            .filter(StoredRow.LeaseRow.class::isInstance)
            .mapToLong(row -> ((StoredRow.LeaseRow) row).lease().fence())
            .distinct()
            .count();
    final long leases = rows.stream().filter(StoredRow.LeaseRow.class::isInstance).count();
    if (fences != leases) {
      findings.add(
          Violation.Kind.FENCE_REUSED,
          null,
          "as many fences as the " + leases + " leases",
          String.valueOf(fences));
    }
  }

  private void same(String what, long stored, BigInteger rows) {
    if (!rows.equals(BigInteger.valueOf(stored))) {
      findings.add(
          Violation.Kind.UNBALANCED,
          null,
          what + " of " + rows + ", the sum of its rows",
          String.valueOf(stored));
    }
  }

  private static Predicate<Lease> in(LeaseState state) {
    return lease -> lease.state() == state;
  }

  private static BigInteger leases(
      Collection<StoredRow> rows, Predicate<Lease> which, ToLongFunction<Lease> what) {
    return rows.stream()
        .filter(StoredRow.LeaseRow.class::isInstance)
        .map(row -> ((StoredRow.LeaseRow) row).lease())
        .filter(which)
        .map(lease -> BigInteger.valueOf(what.applyAsLong(lease)))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static BigInteger usage(Collection<StoredRow> rows, Set<UsageVerdict> verdicts) {
    return rows.stream()
        .filter(StoredRow.UsageRow.class::isInstance)
        .map(StoredRow.UsageRow.class::cast)
        .filter(row -> verdicts.contains(row.verdict()))
        .map(row -> BigInteger.valueOf(row.units()))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }
}
