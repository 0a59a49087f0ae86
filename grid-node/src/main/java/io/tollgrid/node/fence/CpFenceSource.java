package io.tollgrid.node.fence;

import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Draws fences from atomic longs of the CP subsystem, one per partition.
 *
 * <p>The proxy is fetched anew for each draw: one fetched before CP was reset refers to a group
 * that no longer exists. Fetching it blocks like every CP call, and no interrupt ends that, so each
 * draw runs on a thread that can be abandoned. At most {@value #THREADS} threads hang; while they
 * do, a draw fails at once instead of waiting, and they come back when CP does.
 */
final class CpFenceSource implements FenceSource, AutoCloseable {
  private static final int THREADS = 16;
  private static final int CHUNKS = 8;
  private static final long IDLE_SECONDS = 30;

  private final HazelcastInstance member;
  private final ThreadPoolExecutor executor;

  CpFenceSource(HazelcastInstance member) {
    this.member = member;
    this.executor =
        new ThreadPoolExecutor(
            0,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              final Thread thread = new Thread(task, "tollgrid-cp-draw");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public Map<Integer, Long> draw(Map<Integer, Long> floors, Duration limit)
      throws SourceUnreachableException, InterruptedException {
    try {
      final Map<Integer, Long> drawn = new HashMap<>();
      for (final Future<Map<Integer, Long>> chunk :
          executor.invokeAll(chunks(floors), limit.toNanos(), TimeUnit.NANOSECONDS)) {
        drawn.putAll(chunk.get());
      }
      return drawn;
    } catch (CancellationException e) {
      throw new SourceUnreachableException("CP did not answer within " + limit, e);
    } catch (RejectedExecutionException e) {
      throw new SourceUnreachableException("CP has not answered earlier draws yet", e);
    } catch (ExecutionException e) {
      throw new SourceUnreachableException("CP refused a draw: " + e.getCause(), e);
    }
  }

  private List<Callable<Map<Integer, Long>>> chunks(Map<Integer, Long> floors) {
    final List<Map<Integer, Long>> parts = new ArrayList<>();
    for (int i = 0; i < Math.min(CHUNKS, floors.size()); i++) {
      parts.add(new HashMap<>());
    }
    int next = 0;
    for (final Map.Entry<Integer, Long> floor : floors.entrySet()) {
      parts.get(next++ % parts.size()).put(floor.getKey(), floor.getValue());
    }
    return parts.stream().<Callable<Map<Integer, Long>>>map(part -> () -> drawEach(part)).toList();
  }

  /**
   * Stops early once it was abandoned, so that a recovered CP is not asked for what nobody wants.
   */
  private Map<Integer, Long> drawEach(Map<Integer, Long> floors) throws InterruptedException {
    final Map<Integer, Long> drawn = new HashMap<>();
    for (final Map.Entry<Integer, Long> floor : floors.entrySet()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("nobody waits for this draw any more");
      }
      drawn.put(
          floor.getKey(),
          member
              .getCPSubsystem()
              .getAtomicLong("ledger-fence/" + floor.getKey())
              .alterAndGet(new RaiseAbove(floor.getValue())));
    }
    return drawn;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
