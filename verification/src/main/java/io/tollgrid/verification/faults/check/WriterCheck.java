package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Judges who wrote: a transition is written by the process that raised its partition's fence last,
 * and by no other, and not under the same fence once one of its writes had an unknown outcome
 * (architecture §3.4). A version that is checked as well hides an owner that was deposed and writes
 * on, until two of them meet.
 */
final class WriterCheck {
  private WriterCheck() {}

  /**
   * Every transition that an owner wrote who was none any more, or who could not know what it
   * owned.
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
    violations.addAll(afterUnknown(owners, writes, partitionOf));
    return violations;
  }

  private static List<Violation> afterUnknown(
      Map<Integer, NavigableMap<Long, String>> owners,
      List<Written> writes,
      ToIntFunction<Id128> partitionOf) {
    final List<Written> ordered = new ArrayList<>(writes);
    ordered.sort(Comparator.comparing(Written::account).thenComparingLong(Written::version));
    final List<Violation> violations = new ArrayList<>();
    @Nullable Written unknown = null;
    for (final Written write : ordered) {
      if (unknown != null && !unknown.account().equals(write.account())) {
        unknown = null;
      }
      if (write.isUnknown()) {
        // Those of one chain are unknown together.
        unknown = write;
      } else if (unknown != null) {
        final int partition = partitionOf.applyAsInt(write.account());
        final Long raise =
            owners.getOrDefault(partition, new TreeMap<>()).higherKey(unknown.raises());
        if (raise == null || raise > write.raises()) {
          violations.add(
              new Violation(
                  Violation.Kind.FENCE_KEPT,
                  write.account(),
                  null,
                  "another fence of partition "
                      + partition
                      + " after version "
                      + unknown.version()
                      + " of unknown outcome",
                  "version " + write.version() + " by " + write.owner() + " without"));
        }
        unknown = null;
      }
    }
    return violations;
  }
}
