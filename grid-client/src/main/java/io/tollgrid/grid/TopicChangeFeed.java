package io.tollgrid.grid;

import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.topic.ITopic;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic of the grid. Word is lost with the member that was passing it on, and while a client is
 * not connected; both are noticed and told.
 */
public final class TopicChangeFeed implements ChangeFeed {
  private static final Logger LOG = LoggerFactory.getLogger(TopicChangeFeed.class);

  private final HazelcastInstance hazelcast;
  private final ITopic<byte[]> topic;
  private final Counter published;
  private final Counter failed;
  private final Counter malformed;

  /** A feed on a member, a lite member or a client. */
  public TopicChangeFeed(HazelcastInstance hazelcast, MeterRegistry registry) {
    this.hazelcast = hazelcast;
    this.topic = hazelcast.getTopic(GridNames.CHANGES);
    this.published =
        Counter.builder("tollgrid.changes.published")
            .description("words of changes handed to the grid")
            .register(registry);
    this.failed =
        Counter.builder("tollgrid.changes.failed")
            .description("words of changes the grid did not take")
            .register(registry);
    this.malformed =
        Counter.builder("tollgrid.changes.malformed")
            .description("words of changes that could not be understood")
            .register(registry);
  }

  @Override
  public void publish(Change change) {
    published.increment();
    try {
      final var unused =
          topic
              .publishAsync(change.toBytes())
              .whenComplete(
                  (sent, failure) -> {
                    if (failure != null) {
                      failedToSend(change, failure);
                    }
                  });
    } catch (RuntimeException e) {
      failedToSend(change, e);
    }
  }

  private void failedToSend(Change change, Throwable failure) {
    failed.increment();
    LOG.debug("{} was not sent; instances find out by themselves", change, failure);
  }

  @Override
  public Subscription subscribe(Listener listener) {
    final UUID messages =
        topic.addMessageListener(message -> deliver(message.getMessageObject(), listener));
    final UUID members =
        hazelcast
            .getCluster()
            .addMembershipListener(
                new MembershipListener() {
                  @Override
                  public void memberAdded(MembershipEvent event) {}

                  @Override
                  public void memberRemoved(MembershipEvent event) {
                    listener.lost();
                  }
                });
    final UUID life =
        hazelcast
            .getLifecycleService()
            .addLifecycleListener(
                event -> {
                  final LifecycleEvent.LifecycleState now = event.getState();
                  if (now == LifecycleEvent.LifecycleState.CLIENT_CONNECTED
                      || now == LifecycleEvent.LifecycleState.MERGED) {
                    listener.lost();
                  }
                });
    return () -> {
      try {
        topic.removeMessageListener(messages);
        hazelcast.getCluster().removeMembershipListener(members);
        hazelcast.getLifecycleService().removeLifecycleListener(life);
      } catch (RuntimeException e) {
        LOG.debug("the grid is gone, and its listeners with it", e);
      }
    };
  }

  private void deliver(byte[] message, Listener listener) {
    final Change change;
    try {
      change = Change.fromBytes(message);
    } catch (IllegalArgumentException e) {
      malformed.increment();
      LOG.debug("word of a change in a form this version does not know", e);
      return;
    }
    listener.changed(change);
  }
}
