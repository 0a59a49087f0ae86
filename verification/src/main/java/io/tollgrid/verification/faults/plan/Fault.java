package io.tollgrid.verification.faults.plan;

import java.util.List;

/** One thing that goes wrong. Members are numbered from 0. */
public sealed interface Fault {
  /** The members it happens to. */
  List<Integer> members();

  /** How long it lasts until it is mended, milliseconds. */
  long lastsMillis();

  /**
   * Members are killed without warning and started anew.
   *
   * @param members which
   * @param lastsMillis how long they stay away
   */
  record Kill(List<Integer> members, long lastsMillis) implements Fault {
    /** Copies the list. */
    public Kill {
      members = List.copyOf(members);
    }
  }

  /**
   * A member is stopped for longer than its silence is tolerated, then goes on as if nothing had
   * happened, with everything it had in hand.
   *
   * @param member which
   * @param lastsMillis for how long
   * @param storing whether its committer has as many transitions in hand as can be gathered, whose
   *     transactions have not begun: they are written, or refused, once it goes on
   */
  record Freeze(int member, long lastsMillis, boolean storing) implements Fault {
    @Override
    public List<Integer> members() {
      return List.of(member);
    }
  }

  /**
   * A member's stores lose the confirmation of many of their commits: durable, and unknown to
   * everybody.
   *
   * @param member which
   * @param lastsMillis for how long
   */
  record LoseConfirmations(int member, long lastsMillis) implements Fault {
    @Override
    public List<Integer> members() {
      return List.of(member);
    }
  }

  /**
   * A member's stores wait before they commit, with their locks held.
   *
   * @param member which
   * @param lastsMillis for how long
   */
  record SlowStores(int member, long lastsMillis) implements Fault {
    @Override
    public List<Integer> members() {
      return List.of(member);
    }
  }
}
