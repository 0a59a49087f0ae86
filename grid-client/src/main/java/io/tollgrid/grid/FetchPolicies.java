package io.tollgrid.grid;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import io.tollgrid.ledger.policy.PolicyCodec;
import io.tollgrid.ledger.policy.PolicyQuery;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Reads policies on a data member, off its partition threads. */
final class FetchPolicies implements Callable<byte[]>, HazelcastInstanceAware {
  private final PolicyQuery query;
  private @Nullable HazelcastInstance member;

  FetchPolicies(PolicyQuery query) {
    this.query = query;
  }

  PolicyQuery query() {
    return query;
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
    return PolicyCodec.encodeSet(LedgerMember.of(member).policies().read(query));
  }
}
