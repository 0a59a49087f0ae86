package io.tollgrid.ledger.oracle;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.BudgetSchedule;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Period;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One account by the rules: what a command must answer, and what must be stored after it. */
public final class OracleAccount {
  private record Receipt(LedgerCommand command, Outcome outcome) {}

  /**
   * What a command must come to.
   *
   * @param outcome its answer
   * @param writes whether the account moves to its next version
   * @param unmetDemand the recall it leaves, or 0
   */
  public record Expected(Outcome outcome, boolean writes, long unmetDemand) {}

  private final Id128 id;
  private final OracleBooks books = new OracleBooks();
  private final OracleLeases leases;
  private final Map<Id128, Receipt> receipts = new HashMap<>();
  private final OracleUsage usage;
  private long version;
  private long asOf;
  private long generation;
  private AccountStatus status = AccountStatus.ACTIVE;
  private CapacityClass capacityClass = CapacityClass.BEST_EFFORT;
  private AccountTerms terms = AccountTerms.STRICT;
  private boolean everElastic;

  private OracleTurn turn = new OracleTurn(0, 0);

  /** An account that does not exist yet. */
  public OracleAccount(Id128 id, LedgerLimits limits) {
    this.id = id;
    leases = new OracleLeases(limits, books);
    usage = new OracleUsage(limits);
  }

  /** The account. */
  public Id128 id() {
    return id;
  }

  /** Whether it was created. */
  public boolean exists() {
    return version > 0;
  }

  /** The ids of all its leases, oldest first. */
  public List<Id128> leaseIds() {
    return leases.all().stream().map(lease -> lease.id).toList();
  }

  /** What is left on a lease, or may still be claimed of it. */
  public long leftOn(Id128 leaseId) {
    final OracleLease lease = leases.find(leaseId);
    return lease == null ? 0 : lease.left().add(lease.loss).longValueExact();
  }

  /** A lease's fence. */
  public long fenceOf(Id128 leaseId) {
    final OracleLease lease = leases.find(leaseId);
    return lease == null ? 1 : lease.fence;
  }

  /** The number of the last step taken on a lease, 0 for none. */
  public long lastStepOf(Id128 leaseId) {
    final OracleLease lease = leases.find(leaseId);
    return lease == null || lease.lastStep == null ? 0 : lease.lastStep.number();
  }

  /** The earliest instant at which an active lease may be reclaimed, or the latest there is. */
  public long nextReclaim() {
    return leases.all().stream()
        .filter(OracleLease::active)
        .mapToLong(lease -> lease.expiry + lease.grace)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** The stored boundary, or the latest instant there is. */
  public long periodEnd() {
    return books.periodEnd.longValueExact();
  }

  /** Balance, in units. */
  public long balance() {
    return books.balance().longValueExact();
  }

  // Deciding

  /** Runs a request at a clock and says what it must come to. */
  public Expected apply(LedgerRequest request, long clock) {
    turn = new OracleTurn(exists() ? Math.max(clock, asOf) : clock, version);
    leases.begin(turn);
    final LedgerCommand command = request.command();
    final Outcome known = knownReceipt(command);
    if (known != null) {
      return new Expected(known, false, 0);
    }
    if (turn.now > request.notAfterNanos()) {
      return new Expected(refused(Refusal.EXPIRED), false, 0);
    }
    if (!exists()) {
      if (command instanceof LedgerCommand.Create create) {
        return create(create);
      }
      return command instanceof LedgerCommand.RecordUsage recorded
          ? new Expected(new Outcome.UsageRecorded(usage.ofNobody(recorded.events())), false, 0)
          : new Expected(refused(Refusal.UNKNOWN_ACCOUNT), false, 0);
    }
    final OracleBooks before = books.copy();
    try {
      crossIfDue();
      final Outcome outcome = run(command);
      if (turn.changed) {
        version++;
        asOf = turn.now;
        if (command instanceof LedgerCommand.OperatorCommand operator
            && outcome instanceof Outcome.Applied) {
          receipts.put(operator.commandId(), new Receipt(command, outcome));
        }
        leases.archive();
      }
      return new Expected(outcome, turn.changed, turn.unmet);
    } catch (OracleBooks.DoesNotFit e) {
      books.restore(before);
      return new Expected(refused(Refusal.BALANCE_OVERFLOW), false, 0);
    }
  }

  private static Outcome refused(Refusal reason) {
    return new Outcome.Refused(reason, null);
  }

  // R16

  private @Nullable Outcome knownReceipt(LedgerCommand command) {
    if (command instanceof LedgerCommand.OperatorCommand operator) {
      final Receipt receipt = receipts.get(operator.commandId());
      if (receipt == null) {
        return null;
      }
      return receipt.command().equals(command) ? receipt.outcome() : refused(Refusal.CONFLICT);
    }
    if (command instanceof LedgerCommand.Acquire acquire) {
      return knownGrant(acquire.leaseId(), command);
    }
    if (command instanceof LedgerCommand.Consolidate consolidate) {
      return knownGrant(consolidate.leaseId(), command);
    }
    if (command instanceof LedgerCommand.RecordUsage batch) {
      final List<UsageVerdict> verdicts = new ArrayList<>();
      for (final UsageEvent event : batch.events()) {
        final UsageVerdict verdict = usage.onRecord(event);
        if (verdict == null) {
          return null;
        }
        verdicts.add(verdict);
      }
      return new Outcome.UsageRecorded(verdicts);
    }
    return command instanceof LedgerCommand.LeaseStepCommand step ? knownStep(step) : null;
  }

  private @Nullable Outcome knownGrant(Id128 leaseId, LedgerCommand command) {
    final OracleLease lease = leases.find(leaseId);
    if (lease == null) {
      return null;
    }
    return lease.grantedBy.equals(command)
        ? new Outcome.Granted(
            lease.id, lease.fence, lease.granted().longValueExact(), lease.firstExpiry, 0, null)
        : refused(Refusal.CONFLICT);
  }

  private @Nullable Outcome knownStep(LedgerCommand.LeaseStepCommand command) {
    final OracleLease lease = leases.find(command.leaseId());
    if (lease == null || lease.fence != command.fence() || lease.lastStep == null) {
      return null;
    }
    if (command.step() < lease.lastStep.number()) {
      return refused(Refusal.STEP_SUPERSEDED);
    }
    if (command.step() > lease.lastStep.number()) {
      return null;
    }
    final boolean same =
        switch (lease.lastStep.kind()) {
          case RETURN ->
              command instanceof LedgerCommand.Return c && c.units() == lease.lastStep.argument();
          case RENEW ->
              command instanceof LedgerCommand.Renew c && c.ttlNanos() == lease.lastStep.argument();
          case RELEASE ->
              command instanceof LedgerCommand.Release c
                  && c.unspentUnits() == lease.lastStep.argument();
        };
    return same ? new Outcome.Stepped(lease.id, lease.lastStep) : refused(Refusal.CONFLICT);
  }

  // R14

  private void crossIfDue() {
    if (BigInteger.valueOf(turn.now).compareTo(books.periodEnd) < 0) {
      return;
    }
    turn.changed = true;
    final BudgetSchedule next = books.changePending ? books.changeTo : books.schedule;
    if (next == null || status == AccountStatus.CLOSED) {
      books.turnPeriod(null, turn.now);
      return;
    }
    books.turnPeriod(next, turn.now);
    if (!books.wasFunded(next, turn.now) && books.fits(next.amountUnits())) {
      books.fundPeriod(next, turn.now);
    }
  }

  // R18

  private @Nullable Refusal forbidden(LedgerCommand command) {
    if (command instanceof LedgerCommand.Create) {
      return Refusal.ALREADY_EXISTS;
    }
    final boolean takesALease =
        command instanceof LedgerCommand.Acquire || command instanceof LedgerCommand.Consolidate;
    if (status == AccountStatus.SUSPENDED && takesALease) {
      return Refusal.ACCOUNT_SUSPENDED;
    }
    final boolean windsDown =
        command instanceof LedgerCommand.Release
            || command instanceof LedgerCommand.Return
            || command instanceof LedgerCommand.RecordUsage
            || command instanceof LedgerCommand.Credit
            || command instanceof LedgerCommand.Reclaim
            || command instanceof LedgerCommand.Cross;
    return status == AccountStatus.CLOSED && !windsDown ? Refusal.ACCOUNT_CLOSED : null;
  }

  private Expected create(LedgerCommand.Create command) {
    version = 1;
    asOf = turn.now;
    generation = 1;
    status = command.status();
    capacityClass = command.capacityClass();
    terms = command.terms();
    everElastic = terms.mode() == EnforcementMode.ELASTIC;
    final Outcome outcome = new Outcome.Changed(1, 1);
    receipts.put(command.commandId(), new Receipt(command, outcome));
    return new Expected(outcome, true, 0);
  }

  private Outcome run(LedgerCommand command) throws OracleBooks.DoesNotFit {
    final Refusal forbidden = forbidden(command);
    if (forbidden != null) {
      return refused(forbidden);
    }
    if (command instanceof LedgerCommand.Deposit c) {
      return topUp(c.units());
    }
    if (command instanceof LedgerCommand.Credit c) {
      return credit(c);
    }
    if (command instanceof LedgerCommand.SetSchedule c) {
      return schedule(c);
    }
    if (command instanceof LedgerCommand.SetStatus c) {
      return policy(status == c.status(), () -> status = c.status());
    }
    if (command instanceof LedgerCommand.SetCapacityClass c) {
      return policy(capacityClass == c.capacityClass(), () -> capacityClass = c.capacityClass());
    }
    if (command instanceof LedgerCommand.SetTerms c) {
      return policy(
          terms.equals(c.terms()),
          () -> {
            terms = c.terms();
            everElastic |= terms.mode() == EnforcementMode.ELASTIC;
          });
    }
    if (command instanceof LedgerCommand.Acquire c) {
      return leases.acquire(c);
    }
    if (command instanceof LedgerCommand.Consolidate c) {
      return leases.consolidate(c);
    }
    if (command instanceof LedgerCommand.LeaseStepCommand c) {
      return leases.step(c);
    }
    if (command instanceof LedgerCommand.RecordUsage c) {
      return usage(c);
    }
    if (command instanceof LedgerCommand.Reclaim c) {
      return leases.reclaim(c.cutoffNanos());
    }
    return turn.changed
        ? new Outcome.Crossed(books.period, turn.version())
        : refused(Refusal.NOT_DUE);
  }

  // Funding

  private Outcome topUp(long units) throws OracleBooks.DoesNotFit {
    books.requireFits(units);
    books.topUp = books.topUp.add(BigInteger.valueOf(units));
    books.deposited = books.deposited.add(BigInteger.valueOf(units));
    turn.changed = true;
    return new Outcome.Funded(units, turn.version());
  }

  private Outcome credit(LedgerCommand.Credit command) throws OracleBooks.DoesNotFit {
    final OracleUsage.Recorded original = usage.billed(command.requestId(), command.part());
    if (original == null) {
      return refused(Refusal.NOT_BILLED);
    }
    if (command.units() > original.units - original.credited) {
      return refused(Refusal.BEYOND_BILLED);
    }
    final Outcome outcome = topUp(command.units());
    original.credited += command.units();
    return outcome;
  }

  private Outcome schedule(LedgerCommand.SetSchedule command) throws OracleBooks.DoesNotFit {
    final BudgetSchedule next = command.schedule();
    if (command.effective() == LedgerCommand.SetSchedule.Effective.NOW && next != null) {
      books.requireFits(next.amountUnits());
      books.turnPeriod(next, turn.now);
      books.fundPeriod(next, turn.now);
    } else if (books.schedule != null) {
      books.changePending = true;
      books.changeTo = next;
    } else if (next == null) {
      return refused(Refusal.NO_SCHEDULE);
    } else {
      final boolean funds = !books.wasFunded(next, turn.now);
      books.requireFits(funds ? next.amountUnits() : 0);
      books.turnPeriod(next, turn.now);
      if (funds) {
        books.fundPeriod(next, turn.now);
      }
    }
    turn.changed = true;
    return new Outcome.Changed(generation, turn.version());
  }

  private Outcome policy(boolean same, Runnable change) {
    turn.changed = true;
    if (!same) {
      change.run();
      generation++;
    }
    return new Outcome.Changed(generation, turn.version());
  }

  // Usage

  private Outcome usage(LedgerCommand.RecordUsage command) {
    final List<UsageVerdict> verdicts = new ArrayList<>();
    for (final UsageEvent event : command.events()) {
      UsageVerdict verdict = usage.onRecord(event);
      if (verdict == null) {
        verdict = usage.classify(event, turn.now, books, find(event), everElastic);
        usage.record(event, verdict);
        turn.changed = true;
      }
      verdicts.add(verdict);
    }
    return new Outcome.UsageRecorded(verdicts);
  }

  /** The lease an event names, if its capability is real (R11). */
  private @Nullable OracleLease find(UsageEvent event) {
    if (!(event.funding() instanceof Funding.Leased leased)) {
      return null;
    }
    final OracleLease lease = leases.find(leased.leaseId());
    return lease != null && lease.fence == leased.fence() ? lease : null;
  }

  // Comparing

  /** How the stored account differs, one line each; empty if it does not. */
  public List<String> differences(@Nullable AccountLedger stored, List<Lease> storedLeases) {
    final List<String> found = new ArrayList<>();
    if (stored == null) {
      if (exists()) {
        found.add("the account is not stored");
      }
      return found;
    }
    compare(found, "id", id, stored.id());
    compare(found, "version", version, stored.version());
    compare(found, "as of", asOf, stored.asOfNanos());
    compare(found, "books", expectedBooks(), stored.balances());
    compare(
        found,
        "policy",
        new AccountPolicy(generation, status, capacityClass, terms, everElastic),
        stored.policy());
    compare(found, "period", books.period, stored.period().number());
    compare(found, "period end", books.periodEnd.longValueExact(), stored.period().endNanos());
    compare(found, "schedule", books.schedule, stored.period().schedule());
    compare(
        found,
        "schedule change",
        books.changePending ? new Period.ScheduleChange(books.changeTo) : null,
        stored.period().change());
    compare(found, "next fence", leases.all().size() + 1L, stored.nextFence());
    compare(found, "leases", leases.all().size(), storedLeases.size());
    for (int i = 0; i < Math.min(leases.all().size(), storedLeases.size()); i++) {
      final String difference = leases.all().get(i).difference(storedLeases.get(i));
      if (difference != null) {
        found.add(difference);
      }
    }
    return found;
  }

  /** R10, from both sides. */
  public boolean conserves() {
    return books
        .deposited
        .add(books.overage)
        .equals(
            books
                .balance()
                .add(leases.outstanding())
                .add(books.billed)
                .add(leases.lost(LeaseState.LOSS))
                .add(leases.lost(LeaseState.ARCHIVED))
                .add(books.expired));
  }

  private Balances expectedBooks() {
    return new Balances(
        books.deposited.longValueExact(),
        books.overage.longValueExact(),
        books.allowance.longValueExact(),
        books.topUp.longValueExact(),
        leases.outstanding().longValueExact(),
        books.billed.longValueExact(),
        leases.lost(LeaseState.LOSS).longValueExact(),
        leases.lost(LeaseState.ARCHIVED).longValueExact(),
        books.expired.longValueExact(),
        books.unfunded.longValueExact());
  }

  private static void compare(
      List<String> found, String what, @Nullable Object expected, @Nullable Object stored) {
    if (!java.util.Objects.equals(expected, stored)) {
      found.add(what + ": expected " + expected + " but was " + stored);
    }
  }
}
