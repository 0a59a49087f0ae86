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

  /**
   * Members are cut off from the other members.
   *
   * @param members which: a minority or a majority
   * @param how what is lost between them and the others
   * @param onlyEachOther whether they are cut off from instances and PostgreSQL as well
   * @param lastsMillis for how long
   */
  record Partition(List<Integer> members, Loss how, boolean onlyEachOther, long lastsMillis)
      implements Fault {
    /** What is lost between two sides. */
    public enum Loss {
      /** Everything. */
      BOTH_WAYS,
      /** What these members send; what they are sent arrives. */
      WHAT_THEY_SEND
    }

    /** Copies the list. */
    public Partition {
      members = List.copyOf(members);
    }
  }

  /**
   * An instance is cut off from all members.
   *
   * @param instance which
   * @param lastsMillis for how long
   */
  record InstanceCut(int instance, long lastsMillis) implements Fault {
    @Override
    public List<Integer> members() {
      return List.of();
    }
  }

  /**
   * An instance is stopped, and goes on as if nothing had happened.
   *
   * @param instance which
   * @param lastsMillis for how long
   */
  record InstanceFreeze(int instance, long lastsMillis) implements Fault {
    @Override
    public List<Integer> members() {
      return List.of();
    }
  }

  /** PostgreSQL is killed with all of its sessions, and started anew at once. */
  record DatabaseCrash() implements Fault {
    @Override
    public List<Integer> members() {
      return List.of();
    }

    @Override
    public long lastsMillis() {
      return 0;
    }
  }

  /**
   * PostgreSQL and all of its sessions are stopped, and go on.
   *
   * @param lastsMillis for how long
   */
  record DatabaseFreeze(long lastsMillis) implements Fault {
    @Override
    public List<Integer> members() {
      return List.of();
    }
  }

  /**
   * PostgreSQL finds no more room on its disk.
   *
   * @param lastsMillis for how long
   */
  record FullDisk(long lastsMillis) implements Fault {
    @Override
    public List<Integer> members() {
      return List.of();
    }
  }

  /**
   * The clocks of a member and of an instance of its number are wrong.
   *
   * @param member which
   * @param byMillis how far ahead they are; behind, if negative
   * @param lastsMillis for how long
   */
  record ClockJump(int member, long byMillis, long lastsMillis) implements Fault {
    @Override
    public List<Integer> members() {
      return List.of(member);
    }
  }

  /**
   * Every member leaves in order and comes back, one after the other.
   *
   * @param members all of them, in this order
   */
  record RollingRestart(List<Integer> members) implements Fault {
    /** Copies the list. */
    public RollingRestart {
      members = List.copyOf(members);
    }

    @Override
    public long lastsMillis() {
      return 0;
    }
  }
}
