package io.tollgrid.grid.wire;

import com.hazelcast.internal.server.ServerConnection;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Who is connected. Hazelcast accepts connections without end and ends the member when the process
 * has no file descriptor left; so connections are bounded, and those who have not said who they are
 * are bounded further: they have some seconds, and of too many the one that is there longest goes.
 *
 * <p>Thread-safe.
 */
final class Doorway {
  /** Accepted connections of members and clients together. */
  static final int MAX_CONNECTIONS = 1_000;

  /** Of these, such as have not said who they are. */
  static final int MAX_STRANGERS = 200;

  /** How long one may take to say who it is. */
  static final Duration STRANGER = Duration.ofSeconds(15);

  /** Runs a task once, later. */
  @FunctionalInterface
  interface Later {
    Future<?> run(Runnable task, Duration delay);
  }

  private final Later later;

  /** Guarded by itself; in the order of their coming. */
  private final Set<ServerConnection> strangers = new LinkedHashSet<>();

  /** Guarded by {@link #strangers}. */
  private int connections;

  Doorway(Later later) {
    this.later = later;
  }

  /** A connection was accepted; it may be closed at once. */
  void entered(ServerConnection connection) {
    final boolean full;
    final @Nullable ServerConnection eldest;
    synchronized (strangers) {
      connections++;
      full = connections > MAX_CONNECTIONS;
      strangers.add(connection);
      eldest = strangers.size() > MAX_STRANGERS ? eldestStranger() : null;
    }
    if (full) {
      connection.close("more than " + MAX_CONNECTIONS + " connections are open", null);
      return;
    }
    if (eldest != null) {
      eldest.close("it has not said who it is, and too many have not", null);
    }
    final var unused = later.run(() -> mustBeKnown(connection), STRANGER);
  }

  /** Null if all that seemed to be strangers have said who they are by now. */
  private @Nullable ServerConnection eldestStranger() {
    strangers.removeIf(Doorway::isKnown);
    final Iterator<ServerConnection> inOrder = strangers.iterator();
    return strangers.size() > MAX_STRANGERS ? inOrder.next() : null;
  }

  private void mustBeKnown(ServerConnection connection) {
    synchronized (strangers) {
      if (!strangers.remove(connection)) {
        return;
      }
    }
    if (!isKnown(connection)) {
      connection.close("it did not say who it is within " + STRANGER, null);
    }
  }

  /** A connection that was let in is closed. */
  void left(ServerConnection connection) {
    synchronized (strangers) {
      connections--;
      strangers.remove(connection);
    }
  }

  /** Members say it with their handshake, clients when they authenticate. */
  static boolean isKnown(ServerConnection connection) {
    return connection.getRemoteUuid() != null;
  }
}
