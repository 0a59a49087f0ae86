package io.tollgrid.grid.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.server.ServerConnection;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Witnesses R45: connections are bounded, and those of strangers in number and time. */
class DoorwayTest {
  private final List<Runnable> due = new ArrayList<>();
  private final Doorway doorway =
      new Doorway(
          (task, delay) -> {
            due.add(task);
            return new CompletableFuture<>();
          });

  /** A connection as far as the doorway asks it anything. */
  private final class Visitor {
    private @Nullable UUID name;
    private boolean closed;
    private final ServerConnection connection =
        (ServerConnection)
            Proxy.newProxyInstance(
                ServerConnection.class.getClassLoader(),
                new Class<?>[] {ServerConnection.class},
                (self, method, arguments) ->
                    switch (method.getName()) {
                      case "getRemoteUuid" -> name;
                      case "hashCode" -> System.identityHashCode(self);
                      case "equals" -> self == arguments[0];
                      case "close" -> {
                        close();
                        yield null;
                      }
                      default -> throw new UnsupportedOperationException(method.toString());
                    });

    private void close() {
      closed = true;
      doorway.left(connection);
    }

    Visitor enter() {
      doorway.entered(connection);
      return this;
    }

    Visitor introduced() {
      name = new UUID(1, 1);
      return this;
    }
  }

  @Test
  void ofTooManyStrangersTheEldestGoes() {
    final Visitor known = new Visitor().enter().introduced();
    final Visitor eldest = new Visitor().enter();
    for (int i = 0; i < Doorway.MAX_STRANGERS - 1; i++) {
      new Visitor().enter();
    }
    assertThat(eldest.closed).isFalse();

    final Visitor newcomer = new Visitor().enter();

    assertThat(eldest.closed).isTrue();
    assertThat(newcomer.closed).isFalse();
    assertThat(known.closed).isFalse();
  }

  @Test
  void whoDoesNotSayWhoItIsGoes() {
    final Visitor stranger = new Visitor().enter();
    final Visitor known = new Visitor().enter().introduced();

    due.forEach(Runnable::run);

    assertThat(stranger.closed).isTrue();
    assertThat(known.closed).isFalse();
  }

  @Test
  void noMoreThanABoundAreLetIn() {
    final List<Visitor> clients = new ArrayList<>();
    for (int i = 0; i < Doorway.MAX_CONNECTIONS; i++) {
      clients.add(new Visitor().enter().introduced());
    }
    final Visitor oneTooMany = new Visitor().enter();
    assertThat(oneTooMany.closed).isTrue();

    clients.get(0).close();

    assertThat(new Visitor().enter().closed).isFalse();
  }
}
