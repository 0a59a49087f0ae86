package io.tollgrid.ledger;

/** The canonical form of a ledger and its leases. */
final class LedgerStateCodec {
  private LedgerStateCodec() {}

  static void write(CanonicalWriter out, AccountLedger ledger) {
    out.id(ledger.id()).i64(ledger.version()).i64(ledger.asOfNanos());
    final Balances b = ledger.balances();
    out.i64(b.deposited())
        .i64(b.overage())
        .i64(b.allowance())
        .i64(b.topUp())
        .i64(b.outstanding())
        .i64(b.billed());
    out.i64(b.lossResident()).i64(b.lossArchived()).i64(b.expired()).i64(b.unfunded());
    AccountPolicy.write(out, ledger.policy());
    period(out, ledger.period());
    out.i64(ledger.nextFence());
    out.list(ledger.active(), LedgerStateCodec::lease)
        .list(ledger.losses(), LedgerStateCodec::lease);
    out.list(ledger.settled(), LedgerStateCodec::lease);
  }

  static AccountLedger read(CanonicalReader in) {
    return new AccountLedger(
        in.id(),
        in.i64(),
        in.i64(),
        new Balances(
            in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(),
            in.i64(), in.i64()),
        AccountPolicy.read(in),
        period(in),
        in.i64(),
        in.list(LedgerStateCodec::lease),
        in.list(LedgerStateCodec::lease),
        in.list(LedgerStateCodec::lease));
  }

  private static void period(CanonicalWriter out, Period period) {
    out.i64(period.number())
        .i64(period.endNanos())
        .optional(period.schedule(), CommandCodec::schedule);
    out.optional(period.change(), (w, change) -> w.optional(change.next(), CommandCodec::schedule));
    out.i64(period.funded().day()).i64(period.funded().week()).i64(period.funded().month());
  }

  private static Period period(CanonicalReader in) {
    return new Period(
        in.i64(),
        in.i64(),
        in.optional(CommandCodec::schedule),
        in.optional(r -> new Period.ScheduleChange(r.optional(CommandCodec::schedule))),
        new Period.FundedStarts(in.i64(), in.i64(), in.i64()));
  }

  static void lease(CanonicalWriter out, Lease l) {
    out.id(l.id()).id(l.holder()).i64(l.fence()).id(l.bodyHash()).i64(l.periodNumber());
    out.i64(l.grantedAllowance())
        .i64(l.grantedTopUp())
        .i64(l.returnedAllowance())
        .i64(l.returnedTopUp());
    out.i64(l.billed()).i64(l.loss()).ordinal(l.state());
    out.i64(l.firstExpiresAtNanos())
        .i64(l.expiresAtNanos())
        .i64(l.graceNanos())
        .i64(l.endedAtNanos());
    out.optional(l.lastStep(), LedgerStateCodec::step);
  }

  static Lease lease(CanonicalReader in) {
    return new Lease(
        in.id(),
        in.id(),
        in.i64(),
        in.id(),
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64(),
        in.ordinal(LeaseState.values()),
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64(),
        in.optional(LedgerStateCodec::step));
  }

  static void step(CanonicalWriter out, LeaseStep s) {
    out.i64(s.number())
        .ordinal(s.kind())
        .i64(s.argument())
        .i64(s.restoredUnits())
        .i64(s.expiredUnits());
    out.i64(s.lossUnits()).i64(s.expiresAtNanos());
  }

  static LeaseStep step(CanonicalReader in) {
    return new LeaseStep(
        in.i64(),
        in.ordinal(LeaseStep.Kind.values()),
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64(),
        in.i64());
  }
}
