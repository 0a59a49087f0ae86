package io.tollgrid.verification.faults.nemesis;

import java.util.List;

/**
 * One run, as it is kept with others.
 *
 * @param seed what it was drawn from
 * @param run its number among the runs of that seed
 * @param members of the cluster
 * @param namespaces whether each process had a host of its own
 * @param date when it was judged, ISO 8601
 * @param seconds how long load ran
 * @param faults what happened, in words, step by step; what began together is one step
 * @param acknowledged commands acknowledged to the load
 * @param served requests that instances served
 * @param takeovers pairs of members of which one took partitions that the other had held
 * @param unknown attempts and commits whose outcome was unknown for a time
 * @param outdated answers and transitions refused because their fence or version was old
 * @param stragglers events that came after their lease had ended
 * @param violations where the system was not exact
 */
record RunRecord(
    long seed,
    int run,
    int members,
    boolean namespaces,
    String date,
    long seconds,
    List<List<String>> faults,
    long acknowledged,
    long served,
    long takeovers,
    long unknown,
    long outdated,
    long stragglers,
    List<String> violations) {
  /** Copies the lists. */
  RunRecord {
    faults = faults.stream().map(List::copyOf).toList();
    violations = List.copyOf(violations);
  }

  /** Whether its faults bit: a run that met no trouble shows nothing. */
  boolean bit() {
    return takeovers > 0 && unknown > 0 && outdated > 0 && stragglers > 0;
  }
}
