package io.tollgrid.grid;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.PolicyCodec;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Reads a page of credentials on a data member, off its partition threads; none is kept there. */
final class FetchCredentials implements Callable<byte[]>, HazelcastInstanceAware {
  private final Id128 after;
  private final int limit;
  private @Nullable HazelcastInstance member;

  FetchCredentials(Id128 after, int limit) {
    this.after = after;
    this.limit = limit;
  }

  Id128 after() {
    return after;
  }

  int limit() {
    return limit;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    member = instance;
  }

  @Override
  public byte[] call() {
    if (member == null) {
      throw new IllegalStateException("the grid did not say which member this is");
    }
    return PolicyCodec.encodeCredentials(
        LedgerMember.of(member).policies().credentials(after, limit));
  }
}
