package io.tollgrid.ledger;

import io.tollgrid.ledger.LedgerCommand.Acquire;
import io.tollgrid.ledger.LedgerCommand.Consolidate;
import io.tollgrid.ledger.LedgerCommand.Create;
import io.tollgrid.ledger.LedgerCommand.Credit;
import io.tollgrid.ledger.LedgerCommand.Cross;
import io.tollgrid.ledger.LedgerCommand.Deposit;
import io.tollgrid.ledger.LedgerCommand.Reclaim;
import io.tollgrid.ledger.LedgerCommand.RecordUsage;
import io.tollgrid.ledger.LedgerCommand.Release;
import io.tollgrid.ledger.LedgerCommand.Renew;
import io.tollgrid.ledger.LedgerCommand.Return;
import io.tollgrid.ledger.LedgerCommand.SetCapacityClass;
import io.tollgrid.ledger.LedgerCommand.SetSchedule;
import io.tollgrid.ledger.LedgerCommand.SetStatus;
import io.tollgrid.ledger.LedgerCommand.SetTerms;

/** The canonical form of commands. Tags are stored in journals: append only. */
final class CommandCodec {
  private static final int CREATE = 0;
  private static final int DEPOSIT = 1;
  private static final int CREDIT = 2;
  private static final int SET_SCHEDULE = 3;
  private static final int SET_STATUS = 4;
  private static final int SET_CAPACITY_CLASS = 5;
  private static final int SET_TERMS = 6;
  private static final int ACQUIRE = 7;
  private static final int CONSOLIDATE = 8;
  private static final int RETURN = 9;
  private static final int RENEW = 10;
  private static final int RELEASE = 11;
  private static final int RECORD_USAGE = 12;
  private static final int RECLAIM = 13;
  private static final int CROSS = 14;

  private static final int LEASED = 0;
  private static final int OVERAGE = 1;
  private static final int UNFUNDED = 2;

  private CommandCodec() {}

  static void write(CanonicalWriter out, LedgerCommand command) {
    if (command instanceof LedgerCommand.OperatorCommand operator) {
      writeOperator(out, operator);
    } else if (command instanceof Acquire c) {
      out.u8(ACQUIRE).id(c.leaseId()).id(c.holder());
      grantPolicy(out, c.policy());
      out.i64(c.ttlNanos()).i64(c.demandUnits());
    } else if (command instanceof Consolidate c) {
      out.u8(CONSOLIDATE)
          .id(c.leaseId())
          .id(c.holder())
          .id(c.oldLeaseId())
          .i64(c.oldFence())
          .i64(c.freeUnits());
      grantPolicy(out, c.policy());
      out.i64(c.ttlNanos()).i64(c.demandUnits());
    } else if (command instanceof LedgerCommand.LeaseStepCommand c) {
      out.u8(command instanceof Return ? RETURN : command instanceof Renew ? RENEW : RELEASE);
      out.id(c.leaseId()).i64(c.fence()).i64(c.step()).i64(Replays.argumentOf(c));
    } else if (command instanceof RecordUsage c) {
      out.u8(RECORD_USAGE).list(c.events(), CommandCodec::event);
    } else if (command instanceof Reclaim c) {
      out.u8(RECLAIM).i64(c.cutoffNanos());
    } else {
      out.u8(CROSS);
    }
  }

  private static void writeOperator(CanonicalWriter out, LedgerCommand.OperatorCommand command) {
    if (command instanceof Create c) {
      out.u8(CREATE).id(c.commandId()).ordinal(c.status()).ordinal(c.capacityClass());
      terms(out, c.terms());
    } else if (command instanceof Deposit c) {
      out.u8(DEPOSIT).id(c.commandId()).i64(c.units());
    } else if (command instanceof Credit c) {
      out.u8(CREDIT).id(c.commandId()).id(c.requestId()).i32(c.part()).i64(c.units());
    } else if (command instanceof SetSchedule c) {
      out.u8(SET_SCHEDULE)
          .id(c.commandId())
          .optional(c.schedule(), CommandCodec::schedule)
          .ordinal(c.effective());
    } else if (command instanceof SetStatus c) {
      out.u8(SET_STATUS).id(c.commandId()).ordinal(c.status());
    } else if (command instanceof SetCapacityClass c) {
      out.u8(SET_CAPACITY_CLASS).id(c.commandId()).ordinal(c.capacityClass());
    } else {
      final SetTerms c = (SetTerms) command;
      out.u8(SET_TERMS).id(c.commandId());
      terms(out, c.terms());
    }
  }

  static LedgerCommand read(CanonicalReader in) {
    final int tag = in.u8();
    return switch (tag) {
      case CREATE ->
          new Create(
              in.id(),
              in.ordinal(AccountStatus.values()),
              in.ordinal(CapacityClass.values()),
              terms(in));
      case DEPOSIT -> new Deposit(in.id(), in.i64());
      case CREDIT -> new Credit(in.id(), in.id(), in.i32(), in.i64());
      case SET_SCHEDULE ->
          new SetSchedule(
              in.id(),
              in.optional(CommandCodec::schedule),
              in.ordinal(SetSchedule.Effective.values()));
      case SET_STATUS -> new SetStatus(in.id(), in.ordinal(AccountStatus.values()));
      case SET_CAPACITY_CLASS -> new SetCapacityClass(in.id(), in.ordinal(CapacityClass.values()));
      case SET_TERMS -> new SetTerms(in.id(), terms(in));
      case ACQUIRE -> new Acquire(in.id(), in.id(), grantPolicy(in), in.i64(), in.i64());
      case CONSOLIDATE ->
          new Consolidate(
              in.id(), in.id(), in.id(), in.i64(), in.i64(), grantPolicy(in), in.i64(), in.i64());
      case RETURN -> new Return(in.id(), in.i64(), in.i64(), in.i64());
      case RENEW -> new Renew(in.id(), in.i64(), in.i64(), in.i64());
      case RELEASE -> new Release(in.id(), in.i64(), in.i64(), in.i64());
      case RECORD_USAGE -> new RecordUsage(in.list(CommandCodec::event));
      case RECLAIM -> new Reclaim(in.i64());
      case CROSS -> new Cross();
      default -> throw new MalformedBytesException("no command has the tag " + tag);
    };
  }

  private static void grantPolicy(CanonicalWriter out, GrantPolicy policy) {
    out.i64(policy.minimumUnits())
        .i64(policy.targetUnits())
        .i64(policy.shrink())
        .i64(policy.maxGrantUnits());
  }

  private static GrantPolicy grantPolicy(CanonicalReader in) {
    return new GrantPolicy(in.i64(), in.i64(), in.i64(), in.i64());
  }

  static void terms(CanonicalWriter out, AccountTerms terms) {
    final RateLimits rates = terms.rates();
    out.ordinal(terms.mode())
        .i64(terms.overageCapUnits())
        .i64(rates.requestsPerSecond())
        .i64(rates.burstRequests());
    out.i64(rates.unitsPerSecond()).i64(rates.burstUnits()).i64(terms.concurrencyCeiling());
  }

  static AccountTerms terms(CanonicalReader in) {
    return new AccountTerms(
        in.ordinal(EnforcementMode.values()),
        in.i64(),
        new RateLimits(in.i64(), in.i64(), in.i64(), in.i64()),
        in.i64());
  }

  static void schedule(CanonicalWriter out, BudgetSchedule schedule) {
    out.ordinal(schedule.kind())
        .text(schedule.zone())
        .u8(schedule.anchorDay())
        .i64(schedule.amountUnits());
  }

  static BudgetSchedule schedule(CanonicalReader in) {
    return new BudgetSchedule(
        in.ordinal(BudgetSchedule.Kind.values()), in.text(), in.u8(), in.i64());
  }

  static void event(CanonicalWriter out, UsageEvent event) {
    out.id(event.requestId()).i32(event.part()).ordinal(event.role());
    if (event.funding() instanceof Funding.Leased leased) {
      out.u8(LEASED).id(leased.leaseId()).i64(leased.fence());
    } else {
      out.u8(event.funding() instanceof Funding.Overage ? OVERAGE : UNFUNDED);
    }
    out.i64(event.units()).i64(event.requests());
    out.list(event.meters(), (w, share) -> w.text(share.meter()).i64(share.units()));
    out.id(event.keyId())
        .bits(event.policyRevision())
        .i64(event.occurredAtNanos())
        .id(event.writer())
        .i64(event.sequence());
  }

  static UsageEvent event(CanonicalReader in) {
    return new UsageEvent(
        in.id(),
        in.i32(),
        in.ordinal(LegRole.values()),
        funding(in),
        in.i64(),
        in.i64(),
        in.list(r -> new MeterUnits(r.text(), r.i64())),
        in.id(),
        in.bits(),
        in.i64(),
        in.id(),
        in.i64());
  }

  private static Funding funding(CanonicalReader in) {
    final int tag = in.u8();
    return switch (tag) {
      case LEASED -> new Funding.Leased(in.id(), in.i64());
      case OVERAGE -> new Funding.Overage();
      case UNFUNDED -> new Funding.Unfunded();
      default -> throw new MalformedBytesException("no funding has the tag " + tag);
    };
  }
}
