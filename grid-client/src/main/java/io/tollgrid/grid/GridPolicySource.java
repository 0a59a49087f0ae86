package io.tollgrid.grid;

import com.hazelcast.cluster.memberselector.MemberSelectors;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IExecutorService;
import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.PolicyCodec;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import io.tollgrid.ledger.policy.Subject;
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
  private final IExecutorService writes;
  private final long answerWithinNanos;

  /**
   * A source on a member, a lite member or a Hazelcast client whose configuration {@link
   * GridSerialization} extended.
   *
   * @param answerWithin after how long what got no answer has failed
   */
  public GridPolicySource(HazelcastInstance hazelcast, Duration answerWithin) {
    reads = hazelcast.getExecutorService(GridNames.POLICY_READS);
    writes = hazelcast.getExecutorService(GridNames.AUTHORITY_WRITES);
    answerWithinNanos = answerWithin.toNanos();
  }

  @Override
  public CompletionStage<PolicySet> read(PolicyQuery query) {
    return ask(reads, new FetchPolicies(query), PolicyCodec::decodeSet);
  }

  @Override
  public CompletionStage<CredentialPage> credentials(Id128 after, int limit) {
    return ask(reads, new FetchCredentials(after, limit), PolicyCodec::decodeCredentials);
  }

  @Override
  public CompletionStage<Introduction> introduce(Subject subject) {
    return ask(writes, new IntroduceSubject(subject), PolicyCodec::decodeIntroduction);
  }

  @Override
  public CompletionStage<Boolean> keep(DenialReport report) {
    return ask(writes, new KeepDenials(report), bytes -> true);
  }

  private <T> CompletionStage<T> ask(
      IExecutorService members, MemberTask question, Function<byte[], T> decode) {
    final TaskAnswer<T> answer = new TaskAnswer<>(decode);
    members.submit(question, MemberSelectors.DATA_MEMBER_SELECTOR, answer);
    return answer.orTimeout(answerWithinNanos, TimeUnit.NANOSECONDS);
  }
}
