package io.tollgrid.node.fence;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.CPMember;
import com.hazelcast.cp.CPSubsystemManagementService;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * CP of Hazelcast. A call that is not answered in time is left to complete unheard. Used by one
 * thread.
 */
final class HazelcastCpGroup implements CpGroup {
  private final HazelcastInstance member;
  private CompletableFuture<Void> lastReset = CompletableFuture.completedFuture(null);

  HazelcastCpGroup(HazelcastInstance member) {
    this.member = member;
  }

  @Override
  public Optional<List<CpMember>> members(Duration limit) throws InterruptedException {
    try {
      final Collection<CPMember> members = await(management().getCPMembers(), limit);
      return Optional.of(
          members.stream()
              .map(
                  cpMember -> new CpMember(cpMember.getUuid(), Addresses.of(cpMember.getAddress())))
              .toList());
    } catch (CpFailure e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<UUID> localId() {
    return Optional.ofNullable(management().getLocalCPMember()).map(CPMember::getUuid);
  }

  @Override
  public void promote(Duration limit) throws CpFailure, InterruptedException {
    await(management().promoteToCPMember(), limit);
  }

  @Override
  public void remove(UUID id, Duration limit) throws CpFailure, InterruptedException {
    await(management().removeCPMember(id), limit);
  }

  @Override
  public void reset(Duration limit) throws CpFailure, InterruptedException {
    if (!lastReset.isDone()) {
      throw new CpFailure("an earlier reset of CP has not ended yet", null);
    }
    final CompletableFuture<Void> reset = new CompletableFuture<>();
    lastReset = reset;
    final Thread thread = new Thread(() -> resetInto(reset), "tollgrid-cp-reset");
    thread.setDaemon(true);
    thread.start();
    await(reset, limit);
  }

  /** Hazelcast wipes this member within the call, and waits there for what is under way. */
  private void resetInto(CompletableFuture<Void> reset) {
    try {
      final var unused =
          management()
              .reset()
              .whenComplete(
                  (done, failure) -> {
                    if (failure == null) {
                      reset.complete(null);
                    } else {
                      reset.completeExceptionally(failure);
                    }
                  });
    } catch (RuntimeException e) {
      reset.completeExceptionally(e);
    }
  }

  private CPSubsystemManagementService management() {
    return member.getCPSubsystem().getCPSubsystemManagementService();
  }

  private static <T> T await(CompletionStage<T> call, Duration limit)
      throws CpFailure, InterruptedException {
    try {
      return call.toCompletableFuture().get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new CpFailure("CP did not answer within " + limit, e);
    } catch (ExecutionException e) {
      throw new CpFailure("CP refused: " + e.getCause(), e);
    } catch (HazelcastException e) {
      throw new CpFailure("CP refused: " + e, e);
    }
  }
}
