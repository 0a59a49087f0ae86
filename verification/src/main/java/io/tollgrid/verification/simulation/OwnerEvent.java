package io.tollgrid.verification.simulation;

import org.jspecify.annotations.Nullable;

/** What happens to members, their stores and their fences. */
sealed interface OwnerEvent extends Event {

  /** A member's load returns what it read when it began, or just now. */
  record LoadReturns(int member, int partition, boolean readAtStart) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.member(member).finishLoad(partition, readAtStart);
    }
  }

  /** A member's committer runs one transaction with all it has waiting. */
  record StoreRuns(int member, StoreFault fault) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.member(member).flush(fault);
    }
  }

  /** A transaction that its owner gave up on ends in the store. */
  record LateCommitEnds(int member, boolean commits) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      final SimulatedStore.@Nullable OpenTransaction open = fleet.store().openOf(member);
      if (open == null) {
        return false;
      }
      if (commits) {
        fleet.store().commit(open);
      } else {
        fleet.store().abort(open);
      }
      return true;
    }
  }

  /** A member draws a fence from consensus. */
  record FenceDrawn(int member, int partition) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return running(fleet, member) && fleet.member(member).partitions().draw(partition);
    }
  }

  /** A member raises the fence at rest to the one it has drawn. */
  record FenceRaised(int member, int partition, boolean replyLost) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return running(fleet, member)
          && fleet.member(member).partitions().raise(partition, replyLost);
    }
  }

  /** The store issues a fence, consensus being away. */
  record FenceIssued(int member, int partition) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return running(fleet, member) && fleet.member(member).partitions().issue(partition);
    }
  }

  /** Consensus loses its memory. */
  record ConsensusLost() implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      fleet.coverage().saw(Scenario.CONSENSUS_LOST);
      fleet.consensus().lose();
      return true;
    }
  }

  /** A member dies. */
  record MemberCrashes(int member) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.member(member).crash();
    }
  }

  /** A dead member starts again with an empty memory. */
  record MemberRestarts(int member) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.member(member).restart();
    }
  }

  /** A member stops, with everything it has. */
  record MemberPauses(int member) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.member(member).pause();
    }
  }

  /** A stopped member goes on, believing what it believed. */
  record MemberResumes(int member) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.member(member).resume();
    }
  }

  /** A member hears which partitions it owns. */
  record MemberLearns(int member) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.learn(member);
    }
  }

  /** Split-brain protection or a merge makes a member drop every fence it holds. */
  record MemberDropsFences(int member) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      if (!running(fleet, member)) {
        return false;
      }
      fleet.member(member).partitions().dropAll();
      return true;
    }
  }

  /** A member is made owner of a partition; the old owner is not told. */
  record TakenOver(int partition, int member) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.takeOver(partition, member);
    }
  }

  /** A partition moves to a member, entries and all. */
  record Migrated(int partition, int member) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.migrate(partition, member);
    }
  }

  /** A member's clock jumps. */
  record MemberClockJumps(int member, long skewNanos) implements OwnerEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.member(member).setSkew(skewNanos);
    }
  }

  private static boolean running(Fleet fleet, int member) {
    return fleet.member(member).running();
  }
}
