package io.tollgrid.verification.faults.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The faults of one run, in order.
 *
 * <p>A fault begins at its time, or as soon as the one before it is mended. At any moment a
 * majority of the members is neither dead nor frozen, so the cluster could serve all the time.
 *
 * @param seed what it was drawn from
 * @param steps the faults
 */
public record FaultSchedule(long seed, List<Step> steps) {
  /** Time before the first fault, in which load gets going. */
  static final long LEAD_MILLIS = 4_000;

  /** Time after the last fault was mended, in which everything is retried to its end. */
  static final long TAIL_MILLIS = 8_000;

  private static final long MIN_GAP_MILLIS = 2_500;
  private static final int GAP_SPREAD_MILLIS = 2_000;
  private static final int SPREAD_MILLIS = 1_500;

  /** Dealt in turns: one of each sort, then once more what causes takeovers. */
  private static final List<Kind> FIRST_HAND =
      List.of(Kind.KILL, Kind.FREEZE_STORING, Kind.LOSE_CONFIRMATIONS, Kind.SLOW_STORES);

  private static final List<Kind> SECOND_HAND = List.of(Kind.KILL, Kind.FREEZE);

  /** Copies the list. */
  public FaultSchedule {
    steps = List.copyOf(steps);
  }

  /**
   * One fault and when it begins, from the start of the run.
   *
   * @param atMillis when
   * @param fault what
   */
  public record Step(long atMillis, Fault fault) {}

  /**
   * Draws a schedule.
   *
   * @param members members of the cluster, 3 or more
   * @param durationMillis length of the run
   * @param silenceMillis how long a member may be silent before the others remove it
   */
  public static FaultSchedule draw(
      long seed, int members, long durationMillis, long silenceMillis) {
    if (members < 3) {
      throw new IllegalArgumentException("no majority survives a fault in " + members + " members");
    }
    final Random random = new Random(seed);
    final List<Step> steps = new ArrayList<>();
    final List<Kind> hand = new ArrayList<>();
    boolean all = false;
    long atMillis = LEAD_MILLIS;
    while (true) {
      if (hand.isEmpty()) {
        all = !all;
        hand.addAll(all ? FIRST_HAND : SECOND_HAND);
        Collections.shuffle(hand, random);
      }
      final Fault fault = fault(hand.remove(0), random, members, silenceMillis);
      if (atMillis + fault.lastsMillis() > durationMillis - TAIL_MILLIS) {
        return new FaultSchedule(seed, steps);
      }
      steps.add(new Step(atMillis, fault));
      atMillis += fault.lastsMillis() + MIN_GAP_MILLIS + random.nextInt(GAP_SPREAD_MILLIS);
    }
  }

  private enum Kind {
    KILL,
    FREEZE_STORING,
    FREEZE,
    LOSE_CONFIRMATIONS,
    SLOW_STORES
  }

  private static Fault fault(Kind kind, Random random, int members, long silenceMillis) {
    final int member = random.nextInt(members);
    return switch (kind) {
      case KILL ->
          new Fault.Kill(victims(random, members, member), 1_000 + random.nextInt(SPREAD_MILLIS));
      case FREEZE, FREEZE_STORING ->
          new Fault.Freeze(
              member,
              silenceMillis + 1_500 + random.nextInt(SPREAD_MILLIS),
              kind == Kind.FREEZE_STORING);
      case LOSE_CONFIRMATIONS ->
          new Fault.LoseConfirmations(member, 1_500 + random.nextInt(SPREAD_MILLIS));
      case SLOW_STORES -> new Fault.SlowStores(member, 1_000 + random.nextInt(SPREAD_MILLIS));
    };
  }

  /** One member, or now and then as many as a minority has. */
  private static List<Integer> victims(Random random, int members, int first) {
    final int minority = (members - 1) / 2;
    final List<Integer> victims = new ArrayList<>(List.of(first));
    if (minority > 1 && random.nextInt(3) == 0) {
      victims.add((first + 1 + random.nextInt(members - 1)) % members);
    }
    return victims;
  }
}
