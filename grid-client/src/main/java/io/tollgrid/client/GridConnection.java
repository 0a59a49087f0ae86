package io.tollgrid.client;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.ClientConnectionStrategyConfig.ReconnectMode;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.core.LifecycleListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.tollgrid.grid.Departure;
import io.tollgrid.grid.GridSerialization;
import io.tollgrid.grid.JavaDeserialization;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.grid.MemberTerms;
import io.tollgrid.grid.wire.GuardedMember;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A grid that was entered for one instance, as a client or as a lite member, and is left when the
 * instance ends.
 *
 * <p>Only the first connection is bounded in time. A client that lost its cluster looks for it for
 * ever: the instance meanwhile spends the leases it has, and its commands fail at once and come
 * again instead of piling up.
 */
final class GridConnection {
  private static final Logger LOG = LoggerFactory.getLogger(GridConnection.class);

  /** Whom the journal names where an instance does not say which it is. */
  private static final String ACTOR = "instance";

  private static final Duration SOCKET_WITHIN = Duration.ofSeconds(2);
  private static final int FIRST_PAUSE_MILLIS = 100;
  private static final int MAX_PAUSE_MILLIS = 1_000;
  private static final long FOR_EVER = -1;

  private final HazelcastInstance hazelcast;
  private final InstanceGrid grid;

  private GridConnection(final HazelcastInstance hazelcast, final InstanceGrid grid) {
    this.hazelcast = hazelcast;
    this.grid = grid;
  }

  /**
   * Enters the grid.
   *
   * @throws GridUnreachableException if there is none in time; nothing is left running then
   */
  static GridConnection open(
      final InstanceConfig config, final LedgerClock clock, final MeterRegistry registry) {
    final HazelcastInstance hazelcast =
        switch (config.cluster().mode()) {
          case CLIENT -> client(config.cluster());
          case LITE -> liteMember(config.cluster(), clock);
        };
    boolean opened = false;
    try {
      final LedgerClientSettings patience =
          LedgerClientSettings.defaults(ACTOR)
              .with(Duration.ofNanos(config.settings().leases().notAfterNanos()), config.maxSkew());
      final GridConnection connection =
          new GridConnection(hazelcast, InstanceGrid.of(hazelcast, patience, clock, registry));
      opened = true;
      return connection;
    } finally {
      if (!opened) {
        hazelcast.getLifecycleService().terminate();
      }
    }
  }

  /** What the instance needs of it. */
  InstanceGrid grid() {
    return grid;
  }

  /** Ends the commands that are under way and leaves, in order if that is possible in time. */
  void close(final Duration within) {
    grid.close();
    if (!Departure.leave(hazelcast, within)) {
      LOG.warn("the grid could not be left in order within {}; it was left at once", within);
    }
  }

  private static HazelcastInstance client(final InstanceConfig.Cluster cluster) {
    final CountDownLatch decided = new CountDownLatch(1);
    final ClientConfig config = clientConfig(cluster);
    final LifecycleListener listener =
        event -> {
          if (event.getState() == LifecycleState.CLIENT_CONNECTED
              || event.getState() == LifecycleState.SHUTDOWN) {
            decided.countDown();
          }
        };
    config.addListenerConfig(new ListenerConfig(listener));
    final HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
    boolean connected = false;
    try {
      connected =
          decided.await(cluster.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)
              && client.getLifecycleService().isRunning();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw GridUnreachableException.notEntered(cluster, e);
    } finally {
      if (!connected) {
        client.getLifecycleService().terminate();
      }
    }
    if (!connected) {
      throw GridUnreachableException.notFound(cluster);
    }
    return client;
  }

  private static ClientConfig clientConfig(final InstanceConfig.Cluster cluster) {
    final MemberTerms terms = cluster.terms();
    final ClientConfig config = new ClientConfig();
    config.setClusterName(terms.clusterName());
    config
        .setProperty("hazelcast.logging.type", "slf4j")
        .setProperty("hazelcast.client.heartbeat.interval", millis(terms.heartbeatInterval()))
        .setProperty("hazelcast.client.heartbeat.timeout", millis(terms.heartbeatTimeout()))
        .setProperty(
            "hazelcast.client.invocation.timeout.seconds",
            Long.toString(terms.callTimeout().toSeconds()))
        // An operation whose outcome is open is ours to repeat, with the same id.
        .setProperty("hazelcast.client.operation.fail.on.indeterminate.state", "true");
    terms.members().forEach(config.getNetworkConfig()::addAddress);
    config
        .getNetworkConfig()
        .setConnectionTimeout(
            (int) Math.min(SOCKET_WITHIN.toMillis(), cluster.connectTimeout().toMillis()));
    // The client starts at once and is waited for here: its own bound would also end it, for good,
    // when a cluster is away for longer.
    config
        .getConnectionStrategyConfig()
        .setAsyncStart(true)
        .setReconnectMode(ReconnectMode.ASYNC)
        .getConnectionRetryConfig()
        .setInitialBackoffMillis(FIRST_PAUSE_MILLIS)
        .setMaxBackoffMillis(MAX_PAUSE_MILLIS)
        .setClusterConnectTimeoutMillis(FOR_EVER);
    GridSerialization.configure(config.getSerializationConfig());
    config
        .getSerializationConfig()
        .setJavaSerializationFilterConfig(JavaDeserialization.allowList());
    return config;
  }

  private static String millis(final Duration duration) {
    return Long.toString(duration.toMillis());
  }

  /*
   * A lite member that finds no other founds a cluster of its own, and does so early where every address refuses. That
   * is not what was asked: it is ended, and another one looks, for as long as there is time.
   */
  private static HazelcastInstance liteMember(
      final InstanceConfig.Cluster cluster, final LedgerClock clock) {
    final long deadlineNanos = Math.addExact(clock.nowNanos(), cluster.connectTimeout().toNanos());
    long leftNanos = cluster.connectTimeout().toNanos();
    while (leftNanos > 0 && !Thread.currentThread().isInterrupted()) {
      final HazelcastInstance member = join(cluster, Duration.ofNanos(leftNanos));
      if (!member.getCluster().getMembers().stream().allMatch(Member::isLiteMember)) {
        return member;
      }
      member.getLifecycleService().terminate();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(FIRST_PAUSE_MILLIS));
      leftNanos = deadlineNanos - clock.nowNanos();
    }
    throw GridUnreachableException.notFound(cluster);
  }

  private static HazelcastInstance join(
      final InstanceConfig.Cluster cluster, final Duration within) {
    try {
      return GuardedMember.start(liteConfig(cluster, within));
    } catch (RuntimeException e) {
      throw GridUnreachableException.notEntered(cluster, e);
    }
  }

  private static Config liteConfig(final InstanceConfig.Cluster cluster, final Duration within) {
    final Config config = new Config();
    cluster.terms().applyTo(config);
    config.setLiteMember(true);
    final long seconds = Math.max(1, within.toSeconds());
    config.setProperty("hazelcast.max.join.seconds", Long.toString(seconds));
    config
        .getNetworkConfig()
        .getJoin()
        .getTcpIpConfig()
        .setConnectionTimeoutSeconds(Math.toIntExact(seconds));
    return config;
  }
}
