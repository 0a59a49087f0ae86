package io.tollgrid.node.fence;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.tollgrid.ledger.port.HeldFences;
import io.tollgrid.node.background.BackgroundTask;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The fences this member holds.
 *
 * <p>One task does everything that waits. Each of its passes compares the partition table with what
 * is held: it drops the fences of partitions that left, and gets new ones for partitions that are
 * owned and have none, those somebody asked for first, many in one transaction. So a fence is there
 * ahead of need after a takeover, and each partition's draw is single-flight because there is one
 * task. Without a majority of the cluster nothing is drawn.
 *
 * <p>A fence may be lost while its draw is under way: the partition leaves and returns, the cluster
 * merges, its majority goes. Every such event changes the partition's <i>term</i>, and a fence is
 * taken up only in the term it was drawn in. Thread-safe.
 */
public final class FenceKeeper implements HeldFences, AutoCloseable {
  /** Partitions fenced in one transaction: it holds their locks until it commits. */
  private static final int MAX_BATCH = 256;

  /** A fence is above every fence at rest, which starts at 0. */
  private static final long NONE = 0;

  private final MeterRegistry registry;
  private final Counter takeovers;
  private final AtomicLongArray held;
  private final AtomicLongArray terms;
  private final Set<Integer> wanted = ConcurrentHashMap.newKeySet();
  private final BackgroundTask task;
  private volatile @Nullable Surroundings surroundings;
  private volatile Coverage coverage = new Coverage(0, 0, false);

  /**
   * How far the fences held cover what is owned, as of the last pass.
   *
   * @param owned partitions this member owns
   * @param held of those, partitions whose fence it holds
   * @param majority whether a majority of the cluster was here
   */
  public record Coverage(int owned, int held, boolean majority) {}

  /** What there is only once the member has started. */
  private record Surroundings(Ownership ownership, FenceIssuer issuer) {}

  /** A keeper that holds nothing; it exists before its member does. */
  FenceKeeper(int partitions, Duration pollInterval, MeterRegistry registry) {
    this.registry = registry;
    this.takeovers = registry.counter("tollgrid.fences.takeovers");
    this.held = new AtomicLongArray(partitions);
    this.terms = new AtomicLongArray(partitions);
    this.task = new BackgroundTask("fences", pollInterval, this::pass);
    registry.gauge("tollgrid.fences.held", this, keeper -> keeper.coverage.held());
    registry.gauge("tollgrid.fences.owned", this, keeper -> keeper.coverage.owned());
  }

  /** Begins to draw. Until then nothing is held and requests are only noted. */
  void start(Ownership ownership, FenceIssuer issuer) {
    surroundings = new Surroundings(ownership, issuer);
    task.start();
  }

  /** The task that draws, for readiness. */
  public BackgroundTask task() {
    return task;
  }

  /** How far the fences held cover what is owned, as of the last pass. */
  public Coverage coverage() {
    return coverage;
  }

  @Override
  public OptionalLong held(int partition) {
    final long fence = held.get(partition);
    return fence == NONE ? OptionalLong.empty() : OptionalLong.of(fence);
  }

  @Override
  public void request(int partition) {
    if (held.get(partition) == NONE && wanted.add(partition)) {
      task.wake();
    }
  }

  @Override
  public void drop(int partition, long fence) {
    if (held.compareAndSet(partition, fence, NONE)) {
      count("indefinite");
      terms.incrementAndGet(partition);
      request(partition);
    }
  }

  /** Gives up the fence of a partition that is leaving or has left. */
  void partitionLeft(int partition) {
    terms.incrementAndGet(partition);
    if (held.getAndSet(partition, NONE) != NONE) {
      count("left");
    }
  }

  /** Gives up every fence: after a merge, or when the majority is gone. */
  void dropAll(String reason) {
    for (int partition = 0; partition < held.length(); partition++) {
      terms.incrementAndGet(partition);
      if (held.getAndSet(partition, NONE) != NONE) {
        count(reason);
      }
    }
    task.wake();
  }

  /** Looks at the partition table soon. */
  void ownershipChanged() {
    task.wake();
  }

  private void pass() throws SQLException, InterruptedException {
    final Surroundings around = surroundings;
    if (around == null) {
      return;
    }
    final Set<Integer> owned = around.ownership().owned();
    dropWhatLeft(owned);
    wanted.retainAll(owned);
    try {
      if (around.ownership().majority()) {
        for (final Set<Integer> batch : batches(owned)) {
          renew(around, batch);
        }
      }
    } finally {
      observe(around, owned);
    }
  }

  private void dropWhatLeft(Set<Integer> owned) {
    for (int partition = 0; partition < held.length(); partition++) {
      if (held.get(partition) != NONE && !owned.contains(partition)) {
        partitionLeft(partition);
      }
    }
  }

  /** What is owned and has no fence, in batches, partitions that somebody waits for first. */
  private List<Set<Integer>> batches(Set<Integer> owned) {
    final Set<Integer> ordered = new LinkedHashSet<>(wanted);
    ordered.addAll(owned);
    ordered.removeIf(partition -> held.get(partition) != NONE);
    final List<Set<Integer>> batches = new ArrayList<>();
    final Iterator<Integer> next = ordered.iterator();
    while (next.hasNext()) {
      final Set<Integer> batch = new LinkedHashSet<>();
      while (next.hasNext() && batch.size() < MAX_BATCH) {
        batch.add(next.next());
      }
      batches.add(batch);
    }
    return batches;
  }

  private void renew(Surroundings around, Set<Integer> batch)
      throws SQLException, InterruptedException {
    final Map<Integer, Long> termsBefore = new HashMap<>();
    batch.forEach(partition -> termsBefore.put(partition, terms.get(partition)));
    batch.removeIf(partition -> !around.ownership().owns(partition));
    around
        .issuer()
        .renew(batch)
        .forEach((partition, fence) -> take(around, partition, fence, termsBefore));
  }

  /** The second look at the term undoes a take that raced with the loss of the partition. */
  private void take(
      Surroundings around, int partition, long fence, Map<Integer, Long> termsBefore) {
    final Long term = termsBefore.get(partition);
    if (term == null || terms.get(partition) != term || !around.ownership().owns(partition)) {
      return;
    }
    held.set(partition, fence);
    if (terms.get(partition) != term) {
      held.compareAndSet(partition, fence, NONE);
      return;
    }
    wanted.remove(partition);
    takeovers.increment();
  }

  private void observe(Surroundings around, Set<Integer> owned) {
    final int covered = (int) owned.stream().filter(p -> held.get(p) != NONE).count();
    coverage = new Coverage(owned.size(), covered, around.ownership().majority());
  }

  private void count(String reason) {
    registry.counter("tollgrid.fences.dropped", List.of(Tag.of("reason", reason))).increment();
  }

  /** Ends the task; what is held stays held, for stores that are still under way. */
  @Override
  public void close() {
    task.close();
  }
}
