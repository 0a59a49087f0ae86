package io.tollgrid.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleService;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Witnesses that a node learns of its member's end also where the grid fires no event (R39). */
class MemberHandleTest {
  private final AtomicInteger ends = new AtomicInteger();
  private final AtomicBoolean running = new AtomicBoolean(true);
  private final MemberHandle handle = new MemberHandle(ends::incrementAndGet);

  @Test
  void aMemberThatEndedWithoutAnEventIsNoticedOnce() {
    handle.look();
    handle.setHazelcastInstance(member());
    handle.look();
    assertThat(ends).hasValue(0);

    running.set(false);
    handle.look();
    handle.look();

    assertThat(ends).hasValue(1);
  }

  @Test
  void aMemberThatWasAskedToEndIsNoNews() {
    handle.setHazelcastInstance(member());
    handle.expectShutdown();
    running.set(false);

    handle.look();

    assertThat(ends).hasValue(0);
  }

  private HazelcastInstance member() {
    final LifecycleService lifecycle = stub(LifecycleService.class, "isRunning", running::get);
    return stub(HazelcastInstance.class, "getLifecycleService", () -> lifecycle);
  }

  private static <T> T stub(
      Class<T> type, String method, java.util.function.Supplier<Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) -> {
              if (called.getName().equals(method)) {
                return answer.get();
              }
              throw new UnsupportedOperationException(called.getName());
            }));
  }
}
