package io.tollgrid.grid;

import com.hazelcast.cluster.memberselector.MemberSelectors;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IExecutorService;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.PolicyCodec;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

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
    return ask(new FetchPolicies(query), PolicyCodec::decodeSet);
  }

  @Override
  public CompletionStage<CredentialPage> credentials(Id128 after, int limit) {
    return ask(new FetchCredentials(after, limit), PolicyCodec::decodeCredentials);
  }

  private <T> CompletionStage<T> ask(MemberTask question, Function<byte[], T> decode) {
    final TaskAnswer<T> answer = new TaskAnswer<>(decode);
    reads.submit(question, MemberSelectors.DATA_MEMBER_SELECTOR, answer);
    return answer.orTimeout(answerWithinNanos, TimeUnit.NANOSECONDS);
  }
}
