package io.tollgrid.verification.faults.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What a whole system meets in one run: something that takes ledgers from their owner, and
 * something that happens beside it, one after the other or both at once.
 *
 * <p>Over the runs of a seed each of the first meets each of the second, in an order of the seed's.
 *
 * @param seed what it was drawn from
 * @param run its number among the runs of that seed, from 0
 * @param kinds what it is made of
 * @param steps what happens, in order; the faults of a step begin together
 */
public record NemesisSchedule(long seed, int run, Set<Kind> kinds, List<List<Fault>> steps) {
  /** The sorts of fault. */
  public enum Kind {
    /** Members are killed. */
    KILL,
    /** A member is stopped for longer than the others wait. */
    FREEZE,
    /** Fewer than half of the members are cut off from the rest, and from nothing else. */
    MINORITY,
    /** More than half of the members are cut off from the rest, instances and PostgreSQL. */
    MAJORITY,
    /** What a member sends to the others is lost. */
    ONE_WAY,
    /** Every member is started anew, one after the other. */
    ROLLING_RESTART,
    /** An instance is cut off. */
    INSTANCE_CUT,
    /** An instance is stopped. */
    INSTANCE_FREEZE,
    /** PostgreSQL is killed. */
    DATABASE_CRASH,
    /** PostgreSQL is stopped. */
    DATABASE_FREEZE,
    /** PostgreSQL's disk is full. */
    FULL_DISK,
    /** Clocks jump. */
    CLOCK_JUMP
  }

  private static final List<Kind> TAKING =
      List.of(
          Kind.KILL, Kind.FREEZE, Kind.MINORITY, Kind.MAJORITY, Kind.ONE_WAY, Kind.ROLLING_RESTART);

  private static final List<Kind> BESIDE =
      List.of(
          Kind.INSTANCE_CUT,
          Kind.INSTANCE_FREEZE,
          Kind.DATABASE_CRASH,
          Kind.DATABASE_FREEZE,
          Kind.FULL_DISK,
          Kind.CLOCK_JUMP);

  private static final int ONE_TOGETHER_IN = 3;
  private static final int SPREAD_MILLIS = 2_000;
  private static final int CLOCK_SPREAD_MILLIS = 30_000;
  private static final long RANDOM_STEP = 0x9E3779B97F4A7C15L;

  /** Copies the lists. */
  public NemesisSchedule {
    kinds = Set.copyOf(kinds);
    steps = steps.stream().map(List::copyOf).toList();
  }

  /**
   * Draws the schedule of one run.
   *
   * @param members members of the cluster, 3 or more
   * @param instances instances, 1 or more
   * @param silenceMillis how long a member may be silent before the others remove it
   */
  public static NemesisSchedule draw(
      long seed, int run, int members, int instances, long silenceMillis) {
    if (members < 3 || instances < 1 || run < 0) {
      throw new IllegalArgumentException(
          members + " members, " + instances + " instances, run " + run);
    }
    final List<Kind> taking = new ArrayList<>(TAKING);
    final List<Kind> beside = new ArrayList<>(BESIDE);
    final Random order = new Random(seed);
    Collections.shuffle(taking, order);
    Collections.shuffle(beside, order);
    final Random random = new Random(seed * RANDOM_STEP + run);
    final Draw draw = new Draw(random, members, instances, silenceMillis);
    final Kind takes = taking.get(run % taking.size());
    final Kind isBeside = beside.get((run + run / taking.size()) % beside.size());
    final Fault first = draw.fault(takes);
    final Fault second = draw.fault(isBeside);
    // Members that start need a server and each other.
    final boolean together =
        random.nextInt(ONE_TOGETHER_IN) == 0 && !(first instanceof Fault.RollingRestart);
    final List<List<Fault>> steps =
        together ? List.of(List.of(first, second)) : List.of(List.of(first), List.of(second));
    return new NemesisSchedule(seed, run, Set.of(takes, isBeside), steps);
  }

  private record Draw(Random random, int members, int instances, long silenceMillis) {
    Fault fault(Kind kind) {
      final int member = random.nextInt(members);
      final int instance = random.nextInt(instances);
      final long brief = 2_000L + random.nextInt(SPREAD_MILLIS);
      final long pastSilence = silenceMillis + brief;
      return switch (kind) {
        case KILL -> new Fault.Kill(List.of(member), brief);
        case FREEZE -> new Fault.Freeze(member, pastSilence, false);
        case MINORITY ->
            new Fault.Partition(
                from(member, (members - 1) / 2),
                Fault.Partition.Loss.BOTH_WAYS,
                random.nextInt(3) == 0,
                pastSilence);
        case MAJORITY ->
            new Fault.Partition(
                from(member, members / 2 + 1), Fault.Partition.Loss.BOTH_WAYS, true, pastSilence);
        case ONE_WAY ->
            new Fault.Partition(
                List.of(member), Fault.Partition.Loss.WHAT_THEY_SEND, false, pastSilence);
        case ROLLING_RESTART -> new Fault.RollingRestart(from(member, members));
        case INSTANCE_CUT -> new Fault.InstanceCut(instance, pastLease(brief));
        case INSTANCE_FREEZE -> new Fault.InstanceFreeze(instance, pastLease(brief));
        case DATABASE_CRASH -> new Fault.DatabaseCrash();
        case DATABASE_FREEZE -> new Fault.DatabaseFreeze(brief + random.nextInt(SPREAD_MILLIS));
        case FULL_DISK -> new Fault.FullDisk(brief);
        case CLOCK_JUMP ->
            new Fault.ClockJump(
                member, random.nextInt(-CLOCK_SPREAD_MILLIS, CLOCK_SPREAD_MILLIS), 2 * brief);
      };
    }

    /** Every second time longer than a lease is good for. */
    private long pastLease(long brief) {
      return random.nextBoolean() ? brief : 10_000 + brief;
    }

    private List<Integer> from(int first, int howMany) {
      return IntStream.range(first, first + howMany).mapToObj(i -> i % members).toList();
    }
  }
}
