package io.tollgrid.node.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Who is connected to the probes. A probe takes milliseconds; so nobody stays long, and of too many
 * the one that is there longest goes: who is silent, or sends a byte now and then, keeps nobody
 * out.
 *
 * <p>Thread-safe.
 */
final class ProbeConnections {
  /** Connections that are open at once. */
  static final int MAX = 256;

  private static final Duration LIFE = Duration.ofSeconds(30);

  /** Guarded by itself; in the order of their coming. */
  private final Set<Channel> open = new LinkedHashSet<>();

  /** A connection was accepted. */
  void enter(ChannelPipeline pipeline) {
    final Channel channel = pipeline.channel();
    final Future<?> end =
        channel.eventLoop().schedule(() -> close(channel), LIFE.toNanos(), TimeUnit.NANOSECONDS);
    final var unused =
        channel
            .closeFuture()
            .addListener(
                closed -> {
                  end.cancel(false);
                  synchronized (open) {
                    open.remove(channel);
                  }
                });
    final Channel eldest;
    synchronized (open) {
      open.add(channel);
      eldest = open.size() > MAX ? open.iterator().next() : channel;
      if (eldest != channel) {
        open.remove(eldest);
      }
    }
    if (eldest != channel) {
      close(eldest);
    }
  }

  private static void close(Channel channel) {
    final var unused = channel.close();
  }
}
