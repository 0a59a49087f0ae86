package io.tollgrid.grid;

import com.hazelcast.cluster.memberselector.MemberSelectors;
import com.hazelcast.core.ExecutionCallback;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IExecutorService;
import io.tollgrid.ledger.policy.PolicyCodec;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Policies read by a data member of the grid, whichever it is: every answer comes from PostgreSQL
 * (ADR 0007).
 */
public final class GridPolicySource implements PolicySource {
  private final IExecutorService reads;
  private final long answerWithinNanos;

  /**
   * A source on a member, a lite member or a Hazelcast client whose configuration {@link
   * GridSerialization} extended.
   *
   * @param answerWithin after how long a read has failed
   */
  public GridPolicySource(HazelcastInstance hazelcast, Duration answerWithin) {
    reads = hazelcast.getExecutorService(GridNames.POLICY_READS);
    answerWithinNanos = answerWithin.toNanos();
  }

  @Override
  public CompletionStage<PolicySet> read(PolicyQuery query) {
    final CompletableFuture<PolicySet> read = new CompletableFuture<>();
    reads.submit(
        new FetchPolicies(query),
        MemberSelectors.DATA_MEMBER_SELECTOR,
        new ExecutionCallback<byte[]>() {
          @Override
          public void onResponse(byte[] bytes) {
            try {
              read.complete(PolicyCodec.decodeSet(bytes));
            } catch (RuntimeException e) {
              read.completeExceptionally(e);
            }
          }

          @Override
          public void onFailure(Throwable failure) {
            read.completeExceptionally(failure);
          }
        });
    return read.orTimeout(answerWithinNanos, TimeUnit.NANOSECONDS);
  }
}
