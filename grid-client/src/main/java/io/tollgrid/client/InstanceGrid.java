package io.tollgrid.client;

import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.GridPolicySource;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.grid.PolicySource;
import io.tollgrid.grid.TopicChangeFeed;
import io.tollgrid.grid.usage.GridUsageInbox;
import io.tollgrid.grid.usage.LocalUsageInbox;
import io.tollgrid.grid.usage.UsageInbox;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an instance needs of a grid.
 *
 * @param ledgers the way to the ledgers
 * @param policies where policies are read, or null if the service publishes its own
 * @param changes how word of changes arrives
 * @param usage where usage is left
 */
public record InstanceGrid(
    LedgerClient ledgers, @Nullable PolicySource policies, ChangeFeed changes, UsageInbox usage)
    implements AutoCloseable {
  private static final Duration POLICIES_ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final Duration USAGE_ANSWERS_WITHIN = Duration.ofSeconds(5);

  /** All of a grid, seen from a member, a lite member or a client. */
  public static InstanceGrid of(
      final HazelcastInstance hazelcast,
      final String actor,
      final LedgerClock clock,
      final MeterRegistry registry) {
    return of(hazelcast, LedgerClientSettings.defaults(actor), clock, registry);
  }

  /** The same, with a ledger client that is as patient as {@code settings} say. */
  static InstanceGrid of(
      final HazelcastInstance hazelcast,
      final LedgerClientSettings settings,
      final LedgerClock clock,
      final MeterRegistry registry) {
    return new InstanceGrid(
        new GridLedgerClient(hazelcast, settings, null, clock, registry),
        new GridPolicySource(hazelcast, POLICIES_ANSWER_WITHIN),
        new TopicChangeFeed(hazelcast, registry),
        new GridUsageInbox(hazelcast, USAGE_ANSWERS_WITHIN));
  }

  /**
   * Ledgers and nothing else: the service publishes its own policies, word of nothing comes, and
   * usage goes to the ledgers from this process.
   */
  public static InstanceGrid ledgersOnly(final LedgerClient ledgers, final LedgerClock clock) {
    return new InstanceGrid(
        ledgers, null, ChangeFeed.silent(), new LocalUsageInbox(ledgers, clock));
  }

  /** Closes the ledger client and the inbox. */
  @Override
  public void close() {
    usage.close();
    ledgers.close();
  }
}
