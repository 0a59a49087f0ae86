package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * Judges who wrote: a transition is written by the process that raised its partition's fence last,
 * and by no other (architecture §3.4). A version that is checked as well hides an owner that was
 * deposed and writes on, until two of them meet.
 */
final class WriterCheck {
  private WriterCheck() {}

  /**
   * Every transition that an owner wrote who was none any more.
   *
   * @param partitionOf the partition of an account
   */
  static List<Violation> check(
      List<FenceRaise> raises, List<Written> writes, ToIntFunction<Id128> partitionOf) {
    final Map<Integer, NavigableMap<Long, String>> owners = new HashMap<>();
    final Set<String> members = new HashSet<>();
    for (final FenceRaise raise : raises) {
      members.add(raise.owner());
      owners
          .computeIfAbsent(raise.partition(), partition -> new TreeMap<>())
          .put(raise.sequence(), raise.owner());
    }
    final List<Violation> violations = new ArrayList<>();
    for (final Written write : writes) {
      final int partition = partitionOf.applyAsInt(write.account());
      final Map.Entry<Long, String> last =
          owners.getOrDefault(partition, new TreeMap<>()).floorEntry(write.raises());
      final String owner = last == null ? "nobody" : last.getValue();
      if (members.contains(write.owner()) && !owner.equals(write.owner())) {
        violations.add(
            new Violation(
                Violation.Kind.WRITTEN_BY_ANOTHER,
                write.account(),
                null,
                "version "
                    + write.version()
                    + " by "
                    + owner
                    + ", which owns partition "
                    + partition,
                "by " + write.owner()));
      }
    }
    return violations;
  }
}
