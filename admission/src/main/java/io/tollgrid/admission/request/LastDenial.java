package io.tollgrid.admission.request;

import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import org.jspecify.annotations.Nullable;

/** What a request object remembers of its last denial, for whoever answers the caller. */
final class LastDenial {
  private @Nullable AccountState account;
  private int leg;
  private long units;
  private long atNanos;

  /** Forgets the last one: a step begins. */
  void none(final long nowNanos) {
    account = null;
    units = 0;
    atNanos = nowNanos;
  }

  /** Notes which leg refused how much; answers {@code denial}. */
  Denial note(
      final Denial denial, final int refusingLeg, final AccountState refusing, final long refused) {
    leg = refusingLeg;
    account = refusing;
    units = refused;
    return denial;
  }

  @Nullable AccountState account() {
    return account;
  }

  Id128 accountId() {
    return account == null ? Id128.ZERO : account.id();
  }

  long units() {
    return units;
  }

  long atNanos() {
    return atNanos;
  }

  int leg() {
    return account == null ? -1 : leg;
  }

  long remainingUnits() {
    if (account == null) {
      return 0;
    }
    final Evidence evidence = account.leases().evidence();
    return evidence != null ? evidence.remainingUnits() : account.leases().freeUnits();
  }

  long retryAtNanos() {
    return account == null ? atNanos : account.rates().earliestNanos(units, atNanos);
  }
}
