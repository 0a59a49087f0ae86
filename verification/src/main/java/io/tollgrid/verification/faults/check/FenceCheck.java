package io.tollgrid.verification.faults.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Judges the ownership fences at rest: each partition's only ever grow (architecture §3.4). */
public final class FenceCheck {
  private FenceCheck() {}

  /** Every fence that was used again, went back or appeared out of nowhere. */
  public static List<Violation> check(List<FenceRaise> raises) {
    final Map<Integer, Long> current = new HashMap<>();
    final List<Violation> violations = new ArrayList<>();
    for (final FenceRaise raise : inOrder(raises)) {
      final long before = current.getOrDefault(raise.partition(), raise.before());
      if (raise.before() != before || raise.after() <= before) {
        violations.add(
            new Violation(
                Violation.Kind.FENCE_REUSED,
                null,
                null,
                "a fence above " + before + " on partition " + raise.partition(),
                raise.before() + " → " + raise.after() + " by " + raise.owner()));
      }
      current.merge(raise.partition(), raise.after(), Math::max);
    }
    return violations;
  }

  /**
   * Takeovers: pairs of processes of which one raised the fence of a partition that the other had
   * held, however many partitions and transactions it took.
   */
  public static int takeovers(List<FenceRaise> raises) {
    return takeovers(raises, 0);
  }

  /** As {@link #takeovers(List)}, of which only those after a raise count. */
  public static int takeovers(List<FenceRaise> raises, long afterSequence) {
    final Map<Integer, String> owners = new HashMap<>();
    final Set<List<String>> takeovers = new HashSet<>();
    for (final FenceRaise raise : inOrder(raises)) {
      final String former = owners.put(raise.partition(), raise.owner());
      if (raise.sequence() > afterSequence && former != null && !former.equals(raise.owner())) {
        takeovers.add(List.of(former, raise.owner()));
      }
    }
    return takeovers.size();
  }

  private static List<FenceRaise> inOrder(List<FenceRaise> raises) {
    return raises.stream().sorted(Comparator.comparingLong(FenceRaise::sequence)).toList();
  }
}
