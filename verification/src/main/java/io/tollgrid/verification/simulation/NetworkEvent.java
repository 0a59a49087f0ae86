package io.tollgrid.verification.simulation;

import org.jspecify.annotations.Nullable;

/** What happens between a client and an owner; {@code copy} counts messages, oldest first. */
sealed interface NetworkEvent extends Event {

  /** A request reaches a member that believes to own its partition. */
  record RequestArrives(int lane, int account, int copy, int member) implements NetworkEvent {
    @Override
    public boolean happen(Fleet fleet) {
      final OwnerMember owner = fleet.member(member);
      if (!owner.running() || !owner.owns(Scale.partitionOf(account))) {
        return false;
      }
      final @Nullable Request request = fleet.slot(lane, account).takeRequest(copy);
      if (request == null) {
        return false;
      }
      fleet.note(() -> "member " + member + " receives " + request.call().command);
      owner.receive(request);
      return true;
    }
  }

  /** The network makes a second copy of a request. */
  record RequestDuplicated(int lane, int account, int copy) implements NetworkEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.slot(lane, account).duplicate(copy);
    }
  }

  /** The network loses a request. */
  record RequestLost(int lane, int account, int copy) implements NetworkEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.slot(lane, account).loseRequest(copy);
    }
  }

  /** An answer reaches its client. */
  record AnswerArrives(int lane, int account, int copy) implements NetworkEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.slot(lane, account).deliverAnswer(copy);
    }
  }

  /** The network loses an answer. */
  record AnswerLost(int lane, int account, int copy) implements NetworkEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.slot(lane, account).loseAnswer(copy);
    }
  }

  /** The client's attempt ends without an answer. */
  record AttemptTimesOut(int lane, int account) implements NetworkEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.slot(lane, account).timeOut();
    }
  }

  /** The client sends its command again. */
  record ClientRetries(int lane, int account) implements NetworkEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.slot(lane, account).retry();
    }
  }

  /** The client gives its command up, after its deadline. */
  record ClientGivesUp(int lane, int account) implements NetworkEvent {
    @Override
    public boolean happen(Fleet fleet) {
      return fleet.slot(lane, account).giveUp();
    }
  }
}
