package io.tollgrid.ledger;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Any legal value of each type that has a stored form. */
final class AnyValue {
  private static final List<String> ZONES =
      List.of("UTC", "Europe/Vienna", "America/St_Johns", "Pacific/Apia", "+05:45");

  private AnyValue() {}

  static Arbitrary<Id128> id() {
    return Combinators.combine(anyLong(), anyLong()).as(Id128::new);
  }

  static Arbitrary<Bits256> bits() {
    return Combinators.combine(anyLong(), anyLong(), anyLong(), anyLong()).as(Bits256::new);
  }

  private static Arbitrary<Long> anyLong() {
    return Arbitraries.longs();
  }

  static Arbitrary<DenialReport> denials() {
    return Combinators.combine(
            id(),
            positive(),
            Combinators.combine(
                    id(), id(), Arbitraries.of("NO_LEASE", "A"), units(), positive(), units())
                .as(DenialMinute::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(4))
        .as(DenialReport::new);
  }

  private static Arbitrary<Long> units() {
    return Arbitraries.longs().between(0, Long.MAX_VALUE);
  }

  private static Arbitrary<Long> positive() {
    return Arbitraries.longs().between(1, Long.MAX_VALUE);
  }

  private static Arbitrary<String> text(int maxChars) {
    return Arbitraries.strings()
        .all()
        .ofMaxLength(maxChars)
        .map(text -> text.length() <= maxChars ? text : text.substring(0, maxChars))
        .filter(PlainText::isPlain);
  }

  static Arbitrary<AccountTerms> terms() {
    final Arbitrary<RateLimits> rates =
        Combinators.combine(rate(), rate())
            .as((r, u) -> new RateLimits(r.get1(), r.get2(), u.get1(), u.get2()));
    return Combinators.combine(Arbitraries.of(EnforcementMode.values()), units(), rates, units())
        .as(
            (mode, cap, limits, ceiling) ->
                new AccountTerms(mode, mode == EnforcementMode.STRICT ? 0 : cap, limits, ceiling));
  }

  private static Arbitrary<Tuple.Tuple2<Long, Long>> rate() {
    return Arbitraries.oneOf(
        Arbitraries.just(Tuple.of(0L, 0L)),
        Combinators.combine(positive(), positive()).as(Tuple::of));
  }

  static Arbitrary<BudgetSchedule> schedule() {
    return Combinators.combine(
            Arbitraries.of(BudgetSchedule.Kind.values()),
            Arbitraries.of(ZONES),
            Arbitraries.integers().between(1, 31),
            units())
        .as(
            (kind, zone, anchor, amount) ->
                new BudgetSchedule(
                    kind, zone, kind == BudgetSchedule.Kind.MONTH ? anchor : 1, amount));
  }

  private static Arbitrary<GrantPolicy> grantPolicy() {
    return Combinators.combine(positive(), positive(), positive(), positive())
        .as((a, b, shrink, max) -> new GrantPolicy(Math.min(a, b), Math.max(a, b), shrink, max));
  }

  static Arbitrary<Funding> funding() {
    return Arbitraries.oneOf(
        Combinators.combine(id(), anyLong()).as(Funding.Leased::new),
        Arbitraries.just(new Funding.Overage()),
        Arbitraries.just(new Funding.Unfunded()));
  }

  static Arbitrary<UsageEvent> event() {
    final Arbitrary<List<MeterUnits>> meters =
        Combinators.combine(
                text(63).map(name -> "m" + name), Arbitraries.longs().between(0, 1L << 50))
            .as(MeterUnits::new)
            .list()
            .ofMaxSize(3);
    return Combinators.combine(
            Combinators.combine(id(), Arbitraries.integers().greaterOrEqual(0)).as(Tuple::of),
            Arbitraries.of(LegRole.values()),
            funding(),
            Combinators.combine(units(), positive(), positive()).as(Tuple::of),
            meters,
            Combinators.combine(id(), bits(), anyLong(), id()).as(Tuple::of))
        .as(
            (part, role, funding, numbers, shares, rest) ->
                new UsageEvent(
                    part.get1(),
                    part.get2(),
                    role,
                    funding,
                    shares.isEmpty()
                        ? numbers.get1()
                        : shares.stream().mapToLong(MeterUnits::units).sum(),
                    numbers.get2(),
                    shares,
                    rest.get1(),
                    rest.get2(),
                    rest.get3(),
                    rest.get4(),
                    numbers.get3()));
  }

  static Arbitrary<LedgerCommand> command() {
    return Arbitraries.oneOf(
        List.of(
            Combinators.combine(
                    id(),
                    Arbitraries.of(AccountStatus.ACTIVE, AccountStatus.SUSPENDED),
                    Arbitraries.of(CapacityClass.values()),
                    terms())
                .as(LedgerCommand.Create::new),
            Combinators.combine(id(), positive()).as(LedgerCommand.Deposit::new),
            Combinators.combine(id(), id(), Arbitraries.integers(), positive())
                .as(LedgerCommand.Credit::new),
            Combinators.combine(
                    id(),
                    schedule().injectNull(0.2),
                    Arbitraries.of(LedgerCommand.SetSchedule.Effective.values()))
                .as(
                    (id, schedule, effective) ->
                        new LedgerCommand.SetSchedule(
                            id,
                            schedule,
                            schedule == null
                                ? LedgerCommand.SetSchedule.Effective.BOUNDARY
                                : effective)),
            Combinators.combine(id(), Arbitraries.of(AccountStatus.values()))
                .as(LedgerCommand.SetStatus::new),
            Combinators.combine(id(), Arbitraries.of(CapacityClass.values()))
                .as(LedgerCommand.SetCapacityClass::new),
            Combinators.combine(id(), terms()).as(LedgerCommand.SetTerms::new),
            Combinators.combine(id(), id(), grantPolicy(), positive(), units())
                .as(LedgerCommand.Acquire::new),
            Combinators.combine(
                    id(), id(), id(), anyLong(), units(), grantPolicy(), positive(), units())
                .as(LedgerCommand.Consolidate::new),
            Combinators.combine(id(), anyLong(), positive(), units()).as(LedgerCommand.Return::new),
            Combinators.combine(id(), anyLong(), positive(), positive())
                .as(LedgerCommand.Renew::new),
            Combinators.combine(id(), anyLong(), positive(), units())
                .as(LedgerCommand.Release::new),
            event().list().ofMinSize(1).ofMaxSize(3).map(LedgerCommand.RecordUsage::new),
            anyLong().map(LedgerCommand.Reclaim::new),
            Arbitraries.just(new LedgerCommand.Cross())));
  }

  static Arbitrary<LeaseStep> step() {
    return Combinators.combine(
            positive(),
            Arbitraries.of(LeaseStep.Kind.values()),
            units(),
            units(),
            units(),
            units(),
            anyLong())
        .as(LeaseStep::new);
  }

  private static Arbitrary<Evidence> evidence() {
    return Combinators.combine(anyLong(), anyLong(), anyLong()).as(Evidence::new);
  }

  static Arbitrary<Outcome.Applied> applied() {
    return Arbitraries.oneOf(
        List.of(
            Combinators.combine(
                    id(), anyLong(), anyLong(), anyLong(), anyLong(), evidence().injectNull(0.3))
                .as(Outcome.Granted::new),
            Combinators.combine(id(), step()).as(Outcome.Stepped::new),
            Arbitraries.of(UsageVerdict.values())
                .list()
                .ofMaxSize(5)
                .map(Outcome.UsageRecorded::new),
            Combinators.combine(anyLong(), anyLong()).as(Outcome.Funded::new),
            Combinators.combine(anyLong(), anyLong()).as(Outcome.Changed::new),
            Combinators.combine(Arbitraries.integers(), anyLong(), Arbitraries.of(true, false))
                .as(Outcome.Reclaimed::new),
            Combinators.combine(anyLong(), anyLong()).as(Outcome.Crossed::new)));
  }

  static Arbitrary<Outcome> outcome() {
    return Arbitraries.oneOf(
        applied(),
        Combinators.combine(Arbitraries.of(Refusal.values()), evidence().injectNull(0.5))
            .as(Outcome.Refused::new),
        key().set().ofMaxSize(4).map(Outcome.NeedsRows::new),
        Arbitraries.just(new Outcome.Outdated()));
  }

  static Arbitrary<RowKey> key() {
    return Arbitraries.oneOf(
        id().map(RowKey.LeaseKey::new),
        id().map(RowKey.CommandKey::new),
        Combinators.combine(id(), Arbitraries.integers()).as(RowKey.UsageKey::new),
        Combinators.combine(id(), anyLong()).as(RowKey.DeliveryKey::new));
  }

  /** A key with a row that can be under it. */
  private static Arbitrary<Map.Entry<RowKey, StoredRow>> row() {
    final Arbitrary<Map.Entry<RowKey, StoredRow>> leases =
        lease().map(lease -> Map.entry(new RowKey.LeaseKey(lease.id()), leaseRow(lease)));
    final Arbitrary<Map.Entry<RowKey, StoredRow>> commands =
        Combinators.combine(id(), id(), applied())
            .as(
                (id, hash, outcome) ->
                    Map.entry(new RowKey.CommandKey(id), new StoredRow.CommandRow(hash, outcome)));
    final Arbitrary<Map.Entry<RowKey, StoredRow>> parts =
        Combinators.combine(
                Combinators.combine(id(), Arbitraries.integers()).as(RowKey.UsageKey::new),
                verdict(UsageVerdict.Kind.ACCEPTED),
                units(),
                units(),
                id(),
                anyLong())
            .as(
                (key, verdict, units, credited, writer, sequence) ->
                    Map.entry(
                        key,
                        new StoredRow.UsageRow(
                            verdict,
                            units,
                            writer,
                            sequence,
                            verdict == UsageVerdict.UNFUNDED ? 0 : Math.min(units, credited))));
    final Arbitrary<Map.Entry<RowKey, StoredRow>> deliveries =
        Combinators.combine(id(), anyLong(), verdict(UsageVerdict.Kind.REJECTED))
            .as(
                (writer, sequence, verdict) ->
                    Map.entry(
                        new RowKey.DeliveryKey(writer, sequence),
                        new StoredRow.RejectedRow(verdict)));
    return Arbitraries.oneOf(leases, commands, parts, deliveries);
  }

  private static StoredRow leaseRow(Lease lease) {
    return new StoredRow.LeaseRow(lease);
  }

  private static Arbitrary<UsageVerdict> verdict(UsageVerdict.Kind kind) {
    return Arbitraries.of(UsageVerdict.values()).filter(verdict -> verdict.kind() == kind);
  }

  static Arbitrary<Map<RowKey, Optional<StoredRow>>> rows() {
    return Combinators.combine(row().list().ofMaxSize(3), key().list().ofMaxSize(2))
        .as(
            (present, absent) -> {
              final Map<RowKey, Optional<StoredRow>> rows = new LinkedHashMap<>();
              absent.forEach(key -> rows.put(key, Optional.empty()));
              present.forEach(row -> rows.put(row.getKey(), Optional.of(row.getValue())));
              return rows;
            });
  }

  static Arbitrary<LedgerRequest> request() {
    return Combinators.combine(id(), text(128), anyLong(), command(), rows())
        .as(LedgerRequest::new);
  }

  /** Any lease: four shares of at most 2^60 units each, so that the halves fit 63 bits. */
  static Arbitrary<Lease> lease() {
    final Arbitrary<Long> share = Arbitraries.longs().between(0, 1L << 60);
    return Combinators.combine(
            Combinators.combine(id(), id(), id()).as(Tuple::of),
            Combinators.combine(positive(), units()).as(Tuple::of),
            Combinators.combine(share, share, share, share, share).as(Tuple::of),
            Arbitraries.of(LeaseState.values()),
            Combinators.combine(share, share, share, anyLong()).as(Tuple::of),
            step().injectNull(0.3))
        .as(
            (ids, numbers, shares, state, times, step) -> {
              final long returnedAllowance = shares.get1();
              final long returnedTopUp = shares.get2();
              final long billed = shares.get3();
              final long rest = state == LeaseState.SETTLED ? 0 : Math.max(shares.get4(), 1);
              final boolean billedFromAllowance = shares.get5() % 2 == 0;
              return new Lease(
                  ids.get1(),
                  ids.get2(),
                  numbers.get1(),
                  ids.get3(),
                  numbers.get2(),
                  returnedAllowance + (billedFromAllowance ? billed + rest : 0),
                  returnedTopUp + (billedFromAllowance ? 0 : billed + rest),
                  returnedAllowance,
                  returnedTopUp,
                  billed,
                  state == LeaseState.ACTIVE ? 0 : rest,
                  state,
                  times.get1(),
                  times.get1() + times.get2(),
                  times.get3(),
                  times.get4(),
                  step);
            });
  }

  static Arbitrary<AccountPolicy> policy() {
    return Combinators.combine(
            positive(),
            Arbitraries.of(AccountStatus.values()),
            Arbitraries.of(CapacityClass.values()),
            terms(),
            Arbitraries.of(true, false))
        .as(AccountPolicy::new);
  }

  static Arbitrary<Period> period() {
    final Arbitrary<Period.FundedStarts> funded =
        Combinators.combine(anyLong(), anyLong(), anyLong()).as(Period.FundedStarts::new);
    return Arbitraries.oneOf(
        Combinators.combine(units(), funded)
            .as((number, starts) -> new Period(number, Period.NEVER, null, null, starts)),
        Combinators.combine(
                units(),
                anyLong().filter(end -> end != Period.NEVER),
                schedule(),
                schedule().injectNull(0.3).map(Period.ScheduleChange::new).injectNull(0.3),
                funded)
            .as(Period::new));
  }

  static Arbitrary<AccountLedger> ledger() {
    return Combinators.combine(
            Combinators.combine(id(), positive(), anyLong()).as(Tuple::of),
            lease().list().ofMaxSize(6),
            Arbitraries.longs().between(0, 1L << 58).list().ofSize(7),
            policy(),
            period())
        .as(
            (head, leases, units, policy, period) -> {
              final List<Lease> active = ofState(leases, LeaseState.ACTIVE, 1, period);
              final List<Lease> losses = ofState(leases, LeaseState.LOSS, 11, period);
              final List<Lease> settled = ofState(leases, LeaseState.SETTLED, 21, period);
              return new AccountLedger(
                  head.get1(),
                  head.get2(),
                  head.get3(),
                  books(units, remaining(active), remaining(losses)),
                  policy,
                  period,
                  31,
                  active,
                  losses,
                  settled);
            });
  }

  private static Balances books(List<Long> units, long outstanding, long lossResident) {
    final long overage = units.get(0);
    final long rest = units.get(1) + units.get(2) + units.get(3) + units.get(4) + units.get(5);
    return new Balances(
        rest + outstanding + lossResident,
        overage,
        units.get(1),
        units.get(2),
        outstanding,
        units.get(3) + overage,
        lossResident,
        units.get(4),
        units.get(5),
        units.get(6));
  }

  private static long remaining(List<Lease> leases) {
    return leases.stream().mapToLong(Lease::remaining).sum();
  }

  /** The leases of a state, at most one so that sums stay small, with fences from a first one. */
  private static List<Lease> ofState(
      List<Lease> leases, LeaseState state, long firstFence, Period period) {
    final List<Lease> found = new ArrayList<>();
    for (final Lease l : leases) {
      if (l.state() == state && found.size() < 2) {
        found.add(
            new Lease(
                l.id(),
                l.holder(),
                firstFence + found.size(),
                l.bodyHash(),
                Math.min(l.periodNumber(), period.number()),
                l.grantedAllowance(),
                l.grantedTopUp(),
                l.returnedAllowance(),
                l.returnedTopUp(),
                l.billed(),
                l.loss(),
                l.state(),
                l.firstExpiresAtNanos(),
                l.expiresAtNanos(),
                l.graceNanos(),
                l.endedAtNanos(),
                l.lastStep()));
      }
    }
    return found;
  }

  /** Keys without repetition. */
  static Arbitrary<Set<RowKey>> keys() {
    return key().set().ofMaxSize(6);
  }
}
