package io.tollgrid.client.config;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.tollgrid.grid.MemberTerms;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/** The keys that whoever takes part in a cluster has alike, and what must hold of their values. */
public final class ClusterKeys {
  private static final Pattern HOST_AND_PORT = Pattern.compile("[^\\s:/,]+:[0-9]{1,5}");

  /** {@code cluster.name}. */
  public static final Key<String> NAME =
      new Key<>(
          "cluster.name",
          ValueType.text(),
          "tollgrid",
          "members and clients of one cluster share it");

  /** {@code cluster.interface}. */
  public static final Key<String> INTERFACE =
      new Key<>(
          "cluster.interface",
          ValueType.text(),
          "127.0.0.1",
          "the address a member binds; a private network, never all interfaces");

  /** {@code cluster.port}. */
  public static final Key<Integer> PORT =
      new Key<>(
          "cluster.port", ValueType.integer(1, 65_535), 5701, "the port a member binds, exactly");

  /** {@code cluster.partitions}. */
  public static final Key<Integer> PARTITIONS =
      new Key<>(
          "cluster.partitions",
          ValueType.integer(1_009, 65_521),
          1_009,
          "ledger partitions, the same on every member; recorded in the database, cannot change");

  /** {@code cluster.heartbeatInterval}. */
  public static final Key<Duration> HEARTBEAT_INTERVAL =
      new Key<>(
          "cluster.heartbeatInterval",
          ValueType.duration(ofSeconds(1), ofSeconds(10)),
          ofSeconds(1),
          "how often members and clients show that they live; whole seconds");

  /** {@code cluster.heartbeatTimeout}. */
  public static final Key<Duration> HEARTBEAT_TIMEOUT =
      new Key<>(
          "cluster.heartbeatTimeout",
          ValueType.duration(ofSeconds(3), ofMinutes(1)),
          ofSeconds(5),
          "silence after which a frozen member is given up; whole seconds");

  /** {@code cluster.callTimeout}. */
  public static final Key<Duration> CALL_TIMEOUT =
      new Key<>(
          "cluster.callTimeout",
          ValueType.duration(ofSeconds(2), ofMinutes(1)),
          ofSeconds(10),
          "how long a grid operation may wait for its answer");

  /** {@code shutdown.timeout}. */
  public static final Key<Duration> SHUTDOWN_TIMEOUT =
      new Key<>(
          "shutdown.timeout",
          ValueType.duration(ofSeconds(1), ofMinutes(10)),
          ofSeconds(20),
          "one deadline for the whole stop");

  private ClusterKeys() {}

  /**
   * Addresses of members, each {@code host:port} and none twice.
   *
   * @throws ConfigException naming {@code key} otherwise
   */
  public static List<String> addresses(final Settings settings, final Key<List<String>> key) {
    final List<String> addresses = settings.must(key);
    for (final String address : addresses) {
      key.check(
          HOST_AND_PORT.matcher(address).matches(),
          "must list host:port of each member, not \"" + address + "\"");
    }
    key.check(new HashSet<>(addresses).size() == addresses.size(), "names a member twice");
    return addresses;
  }

  /**
   * What a member, lite or not, must have in common with the others.
   *
   * @param members whom it looks for, as {@code host:port}
   * @throws ConfigException naming the first key whose value is unsafe
   */
  public static MemberTerms member(final Settings settings, final List<String> members) {
    final String bindAddress = settings.must(INTERFACE);
    INTERFACE.check(
        !addressOf(INTERFACE, bindAddress).isAnyLocalAddress(),
        "must name one address of a private network, not all interfaces: members do not authenticate each other");
    final Duration interval = wholeSeconds(settings, HEARTBEAT_INTERVAL);
    final Duration timeout = wholeSeconds(settings, HEARTBEAT_TIMEOUT);
    HEARTBEAT_TIMEOUT.check(
        timeout.compareTo(interval.multipliedBy(3)) >= 0,
        "must be at least three times " + HEARTBEAT_INTERVAL.path());
    return new MemberTerms(
        settings.must(NAME),
        bindAddress,
        settings.must(PORT),
        members,
        settings.must(PARTITIONS),
        interval,
        timeout,
        settings.must(CALL_TIMEOUT),
        settings.must(SHUTDOWN_TIMEOUT));
  }

  private static Duration wholeSeconds(final Settings settings, final Key<Duration> key) {
    final Duration value = settings.must(key);
    key.check(value.toMillis() % 1_000 == 0, "must be whole seconds");
    return value;
  }

  /**
   * The address a host has here.
   *
   * @throws ConfigException naming {@code key} if there is none
   */
  public static InetAddress addressOf(final Key<?> key, final String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new ConfigException(
          key.path() + ": must be an address of this machine, not \"" + host + "\"", e);
    }
  }
}
