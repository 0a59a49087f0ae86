package io.tollgrid.grid;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Work on a data member, off its partition threads; its answer is bytes in a canonical form. */
abstract class MemberTask implements Callable<byte[]>, HazelcastInstanceAware {
  private @Nullable HazelcastInstance member;

  /** Does it, with what the member offers. */
  abstract byte[] on(LedgerMember services);

  @Override
  public final void setHazelcastInstance(HazelcastInstance instance) {
    member = instance;
  }

  @Override
  public final byte[] call() {
    if (member == null) {
      throw new IllegalStateException("the grid did not say which member this is");
    }
    return on(LedgerMember.of(member));
  }
}
