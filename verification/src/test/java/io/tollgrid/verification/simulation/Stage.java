package io.tollgrid.verification.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.GrantPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * A fleet on which a test plays events one by one. Instance 0 and account 1 are where the action
 * is: strict, funded with 120 units, owned by member 1.
 */
final class Stage {
  static final int ACCOUNT = 1;
  static final int PARTITION = 1;
  static final int OWNER = 1;
  static final int LEASES = Lanes.leases(0);
  static final int USAGE = Lanes.usage(0);
  static final int OPERATOR = Lanes.operator(0);

  private final Coverage coverage = new Coverage();
  private final List<String> story = new ArrayList<>();
  private final Fleet fleet;

  Stage(Defects defects) {
    fleet = new Fleet(defects, coverage, story::add);
  }

  Fleet fleet() {
    return fleet;
  }

  Holder holder() {
    return fleet.instance(0).holder(ACCOUNT);
  }

  /** Lets events happen, each of which must mean something. */
  Stage play(Event... events) {
    for (final Event event : events) {
      assertThat(fleet.execute(event)).as("%s after %s", event, story).isTrue();
    }
    return this;
  }

  /** Lets an event not happen. */
  Stage refuse(Event event) {
    assertThat(fleet.execute(event)).as("%s after %s", event, story).isFalse();
    return this;
  }

  /** Brings a lane's request to the owner, whose entry is resident, and its answer back. */
  Stage answered(int lane) {
    return play(
        new NetworkEvent.RequestArrives(lane, ACCOUNT, 0, OWNER),
        new OwnerEvent.StoreRuns(OWNER, StoreFault.NONE),
        new NetworkEvent.AnswerArrives(lane, ACCOUNT, 0));
  }

  /** The same where the owner has to load first. */
  Stage loadedAndAnswered(int lane) {
    return play(
        new NetworkEvent.RequestArrives(lane, ACCOUNT, 0, OWNER),
        new OwnerEvent.LoadReturns(OWNER, PARTITION, false),
        new OwnerEvent.StoreRuns(OWNER, StoreFault.NONE),
        new NetworkEvent.AnswerArrives(lane, ACCOUNT, 0));
  }

  /** Instance 0 gets a lease of 20 units. */
  Stage withLease() {
    return play(acquire()).loadedAndAnswered(LEASES);
  }

  static Event acquire() {
    return new HolderEvent.Acquires(
        0, ACCOUNT, 1, 20, 1, GrantPolicy.DEFAULT_MAX_GRANT_UNITS, Scale.TTL_NANOS);
  }

  static Event consolidate() {
    return new HolderEvent.Consolidates(0, ACCOUNT, 1, 20);
  }

  /** The owner draws a new fence after it had to give one up. */
  Stage fenced() {
    return play(
        new OwnerEvent.FenceDrawn(OWNER, PARTITION),
        new OwnerEvent.FenceRaised(OWNER, PARTITION, false));
  }

  static Event later(long nanos) {
    return new Event.TimePasses(nanos);
  }

  /** Ends the run; throws if anything is not as it must be. */
  void toRest() {
    Quiescence.settle(fleet);
  }

  List<String> story() {
    return story;
  }
}
