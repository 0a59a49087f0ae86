package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.GrantPolicy;

/** What instances do; {@code lease} and {@code work} count what the holder has, oldest first. */
sealed interface HolderEvent extends Event {

  /** Work of this quote is asked for. */
  record WorkStarts(int instance, int account, long units) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.instance(instance).holder(account).worker().start(units);
    }
  }

  /** Running work ends, having used this much. */
  record WorkSettles(int instance, int account, int work, long units) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.instance(instance).holder(account).worker().settle(work, units);
    }
  }

  /** The usage writer ships its oldest events. */
  record UsageShips(int instance, int account, int count) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.instance(instance).queue(account).ship(count);
    }
  }

  /** The usage writer ships an event again as a new delivery. */
  record UsageRedelivered(int instance, int account, int which) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.instance(instance).queue(account).redeliver(which);
    }
  }

  /** The holder asks for a lease. */
  record Acquires(
      int instance,
      int account,
      long minimumUnits,
      long targetUnits,
      long shrink,
      long maxUnits,
      long ttlNanos)
      implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet
          .instance(instance)
          .holder(account)
          .acquire(new GrantPolicy(minimumUnits, targetUnits, shrink, maxUnits), ttlNanos);
    }
  }

  /** The holder drains its lease and asks for another instead. */
  record Consolidates(int instance, int account, long minimumUnits, long targetUnits)
      implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet
          .instance(instance)
          .holder(account)
          .consolidate(GrantPolicy.of(minimumUnits, targetUnits));
    }
  }

  /** The holder returns free units. */
  record Returns(int instance, int account, int lease, long units) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.instance(instance).holder(account).giveBack(lease, units);
    }
  }

  /** The holder returns free units because somebody asked for them. */
  record HonoursRecall(int instance, int account) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.instance(instance).holder(account).honourRecall();
    }
  }

  /** The holder extends a lease. */
  record Renews(int instance, int account, int lease, long ttlNanos) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.instance(instance).holder(account).renew(lease, ttlNanos);
    }
  }

  /** The holder ends a lease nothing runs on. */
  record Releases(int instance, int account, int lease) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.instance(instance).holder(account).release(lease);
    }
  }

  /** The holder asks again about a command it had given up on. */
  record ResumesParked(int instance, int account) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.instance(instance).holder(account).resumeParked();
    }
  }

  /** A client process dies; an instance starts again. */
  record ProcessCrashes(int process) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      fleet.crashProcess(process);
      return true;
    }
  }

  /** A client's clock moves within the allowed skew. */
  record ClientClockMoves(int process, long skewNanos) implements HolderEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.setClientSkew(process, skewNanos);
    }
  }
}
