package io.tollgrid.node.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Witnesses that CP is put right by itself, and left alone otherwise (architecture §3.4, R40). */
class CpRepairTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final CpHealth health = new CpHealth();
  private final Cp cp = new Cp();
  private final List<String> restarts = new ArrayList<>();
  private ClusterView view = view(1, 1, 2, 3);
  private final CpRepair repair =
      new CpRepair(
          cp,
          () -> view,
          3,
          Duration.ofSeconds(2),
          Duration.ofSeconds(20),
          health,
          restarts::add,
          registry);

  @Test
  void aWholeCpIsLeftAlone() throws Exception {
    cp.list(member(1), member(2), member(3));
    cp.local = id(1);

    passes(20);

    assertThat(cp.calls).isEmpty();
    assertThat(restarts).isEmpty();
    assertThat(health.reachable()).isTrue();
  }

  @Test
  void aMemberJoinsAShortListWhenItIsItsTurn() throws Exception {
    view = view(4, 1, 2, 4);
    cp.list(member(1), member(2));

    passes(1);
    assertThat(cp.calls).isEmpty();
    passes(1);

    assertThat(cp.calls).containsExactly("promote");
  }

  @Test
  void aMemberWhoseTurnItIsNotWaitsLonger() throws Exception {
    view = view(5, 1, 2, 4, 5);
    cp.list(member(1), member(2));

    passes(CpRepair.PATIENCE - 1);
    assertThat(cp.calls).isEmpty();
    passes(1);

    assertThat(cp.calls).containsExactly("promote");
  }

  @Test
  void aRestartedMemberTakesTheDeadProcessOfItsAddressOffTheList() throws Exception {
    cp.list(member(1), member(2), member(3));
    view = view(3, 1, 2, 3);

    passes(CpRepair.CONFIRMATIONS);
    assertThat(cp.calls).containsExactly("remove " + id(3));

    cp.list(member(1), member(2));
    passes(CpRepair.CONFIRMATIONS);
    assertThat(cp.calls).containsExactly("remove " + id(3), "promote");
  }

  @Test
  void aZombieAsksForANewProcess() throws Exception {
    cp.list(member(1), member(2), new CpGroup.CpMember(id(9), address(4)));
    cp.local = id(3);
    view = view(3, 1, 2, 3, 4);

    passes(CpRepair.CONFIRMATIONS);

    assertThat(restarts).hasSize(1);
    assertThat(cp.calls).isEmpty();
  }

  @Test
  void onlyTheOldestResetsACpWithoutMajorityAndOnlyAfterAWhile() throws Exception {
    cp.silent = true;
    cp.local = id(1);
    view = view(1, 1, 2, 3);
    // 20 s of passes that each wait 2 s for an answer and pause 2 s.
    passes(5);
    assertThat(cp.calls).isEmpty();
    passes(1);
    assertThat(cp.calls).containsExactly("reset");
    assertThat(health.reachable()).isFalse();
    view = view(2, 1, 2, 3);
    passes(40);
    assertThat(cp.calls).containsExactly("reset");
  }

  @Test
  void eachFurtherResetIsGivenTwiceAsLongUntilCpAnswers() throws Exception {
    cp.silent = true;
    cp.local = id(1);
    passes(6);
    assertThat(cp.calls).hasSize(1);
    passes(11);
    assertThat(cp.calls).hasSize(1);
    passes(1);
    assertThat(cp.calls).hasSize(2);
    passes(24 + 48);
    assertThat(cp.calls).hasSize(4);
    passes(47);
    assertThat(cp.calls).hasSize(4);
    passes(1);
    assertThat(cp.calls).containsOnly("reset").hasSize(5);

    cp.silent = false;
    cp.list(member(1), member(2), member(3));
    passes(1);
    cp.silent = true;
    passes(6);
    assertThat(cp.calls).hasSize(6);
  }

  @Test
  void tooFewMembersDoNotReset() throws Exception {
    cp.silent = true;
    view = view(1, 1, 2);

    passes(40);

    assertThat(cp.calls).isEmpty();
  }

  @Test
  void anAnswerInBetweenStartsTheWhileAnew() throws Exception {
    cp.list(member(1), member(2), member(3));
    cp.local = id(1);
    for (int i = 0; i < 10; i++) {
      cp.silent = true;
      passes(5);
      cp.silent = false;
      passes(1);
    }

    assertThat(cp.calls).isEmpty();
  }

  private void passes(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      repair.pass();
    }
  }

  private static UUID id(long n) {
    return new UUID(0, n);
  }

  private static InetSocketAddress address(int n) {
    return InetSocketAddress.createUnresolved("10.0.0." + n, 5701);
  }

  private static CpGroup.CpMember member(int n) {
    return new CpGroup.CpMember(id(n), address(n));
  }

  private static ClusterView view(int local, int... members) {
    return new ClusterView(
        java.util.Arrays.stream(members).mapToObj(CpRepairTest::address).toList(), address(local));
  }

  /** CP that does as it is told and notes what it was asked for. */
  private static final class Cp implements CpGroup {
    final List<String> calls = new ArrayList<>();
    private List<CpMember> members = List.of();
    @Nullable UUID local;
    boolean silent;

    void list(CpMember... now) {
      members = List.of(now);
    }

    @Override
    public Optional<List<CpMember>> members(Duration limit) {
      return silent ? Optional.empty() : Optional.of(members);
    }

    @Override
    public Optional<UUID> localId() {
      return Optional.ofNullable(local);
    }

    @Override
    public void promote(Duration limit) {
      calls.add("promote");
    }

    @Override
    public void remove(UUID id, Duration limit) {
      calls.add("remove " + id);
    }

    @Override
    public void reset(Duration limit) {
      calls.add("reset");
    }
  }
}
