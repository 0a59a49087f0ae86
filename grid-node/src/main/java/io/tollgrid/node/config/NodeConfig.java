package io.tollgrid.node.config;

import io.tollgrid.grid.MemberTerms;
import io.tollgrid.ledger.LedgerLimits;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What a node runs with. Every value was checked, alone and against the others, before this exists
 * (R42).
 *
 * @param cluster the grid
 * @param database the authority
 * @param ledger what a ledger allows
 * @param fences how ownership is fenced
 * @param http probes and metrics
 * @param operatorKeyFile the key that operator commands are authenticated with
 * @param shutdownTimeout one deadline for the whole stop
 */
public record NodeConfig(
    Cluster cluster,
    Database database,
    Ledger ledger,
    Fences fences,
    Http http,
    Path operatorKeyFile,
    Duration shutdownTimeout) {

  /**
   * The grid.
   *
   * @param member what this member has in common with the others
   * @param expectedMembers members of the whole cluster
   * @param hazelcastFile a Hazelcast YAML to start from
   * @param unrestrictedClients addresses of hosts whose clients may ask for more than instances do
   */
  public record Cluster(
      MemberTerms member,
      int expectedMembers,
      Optional<Path> hazelcastFile,
      Set<InetAddress> unrestrictedClients) {
    /** Copies the set. */
    public Cluster {
      unrestrictedClients = Set.copyOf(unrestrictedClients);
    }

    /** What members and clients must agree on. */
    public String name() {
      return member.clusterName();
    }

    /** Ledger partitions. */
    public int partitions() {
      return member.partitions();
    }

    /** Members without which the cluster serves nothing. */
    public int majority() {
      return expectedMembers / 2 + 1;
    }
  }

  /**
   * The authority.
   *
   * @param location where it is
   * @param committerLanes transactions that commit side by side
   * @param storeThreads partitions whose stores or loads may wait at once
   */
  public record Database(DatabaseLocation location, int committerLanes, int storeThreads) {}

  /**
   * What a ledger allows.
   *
   * @param limits its bounds
   * @param margin how long before its expiry a lease stops being spent
   * @param maxSkew how far a member's clock may be ahead of the database's
   */
  public record Ledger(LedgerLimits limits, Duration margin, Duration maxSkew) {}

  /**
   * How ownership is fenced.
   *
   * @param cpCallTimeout wait for CP before PostgreSQL issues a fence
   * @param cpAutoRemoval absence after which a CP member is removed
   * @param cpResetAfter time without a CP majority after which CP is reset
   * @param repairInterval how often CP is looked at
   * @param leaderHeartbeat how often a CP leader shows that it lives
   * @param leaderHeartbeatsMissed heartbeats without which it is gone
   * @param electionTimeout how long an election may take
   * @param pollInterval how often the partition table is looked at
   */
  public record Fences(
      Duration cpCallTimeout,
      Duration cpAutoRemoval,
      Duration cpResetAfter,
      Duration repairInterval,
      Duration leaderHeartbeat,
      int leaderHeartbeatsMissed,
      Duration electionTimeout,
      Duration pollInterval) {}

  /**
   * Probes and metrics.
   *
   * @param address where they listen
   * @param port on which port; 0 takes a free one
   * @param tls with which certificate; empty means plaintext
   */
  public record Http(String address, int port, Optional<Tls> tls) {}

  /**
   * A server certificate.
   *
   * @param certificateFile PEM chain
   * @param privateKeyFile PEM key
   */
  public record Tls(Path certificateFile, Path privateKeyFile) {}
}
