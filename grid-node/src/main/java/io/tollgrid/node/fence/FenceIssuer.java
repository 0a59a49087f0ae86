package io.tollgrid.node.fence;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets fences into force: drawn from CP and raised at rest, or issued by PostgreSQL when CP does
 * not answer for a bound.
 *
 * <p>Both ways end with the same barrier at rest, so it does not matter for safety which one was
 * taken. Used by one thread at a time.
 */
final class FenceIssuer {
  private static final Logger LOG = LoggerFactory.getLogger(FenceIssuer.class);

  private final Optional<FenceSource> cp;
  private final CpHealth health;
  private final FenceStore store;
  private final Duration limit;
  private final Counter drawn;
  private final Counter issued;
  private final Counter lostRaises;
  private boolean falling;

  /**
   * @param cp where fences are drawn; empty if this cluster has no CP
   * @param health while CP does not answer its probe, no draw waits for it
   * @param limit how long one round of draws may take
   */
  FenceIssuer(
      Optional<FenceSource> cp,
      CpHealth health,
      FenceStore store,
      Duration limit,
      MeterRegistry registry) {
    this.cp = cp;
    this.health = health;
    this.store = store;
    this.limit = limit;
    this.drawn = registry.counter("tollgrid.fences.issued", "source", "cp");
    this.issued = registry.counter("tollgrid.fences.issued", "source", "postgresql");
    this.lostRaises = registry.counter("tollgrid.fences.raises.lost");
  }

  /**
   * Puts a new fence in force for each partition. The caller has checked that it may: it owns them
   * and sees a majority.
   *
   * @return the fences now in force; one that is missing lost a race and must be asked for again
   */
  Map<Integer, Long> renew(Set<Integer> partitions) throws SQLException, InterruptedException {
    if (cp.isEmpty()) {
      return issue(partitions);
    }
    if (!health.reachable()) {
      return fallBack(partitions, "CP does not answer");
    }
    try {
      final Map<Integer, Long> fences = cp.get().draw(store.floors(partitions), limit);
      final Map<Integer, Long> raised = store.raise(fences);
      drawn.increment(raised.size());
      lostRaises.increment(fences.size() - raised.size());
      if (falling) {
        falling = false;
        LOG.info("CP issues fences again");
      }
      return raised;
    } catch (FenceSource.SourceUnreachableException e) {
      health.failed();
      return fallBack(partitions, e.getMessage());
    }
  }

  private Map<Integer, Long> fallBack(Set<Integer> partitions, @Nullable String reason)
      throws SQLException {
    if (!falling) {
      falling = true;
      LOG.warn("PostgreSQL issues fences, because {}", reason);
    }
    return issue(partitions);
  }

  private Map<Integer, Long> issue(Set<Integer> partitions) throws SQLException {
    final Map<Integer, Long> fences = store.issue(partitions);
    issued.increment(fences.size());
    return fences;
  }
}
