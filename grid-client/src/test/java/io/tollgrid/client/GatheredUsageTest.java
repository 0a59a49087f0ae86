package io.tollgrid.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Events leave once each, in the order of their account, and together with its others. */
class GatheredUsageTest {
  private static final int BATCH = 4;

  private final GatheredUsage<String> gathered = new GatheredUsage<>(BATCH);

  private void add(String... events) {
    for (final String event : events) {
      gathered.add(new Id128(0, event.charAt(0)), event, gathered.size());
    }
  }

  @Test
  void eventsOfOneAccountLeaveTogetherInTheOrderOfTheirFirst() {
    add("a1", "b1", "c1", "b2", "a2", "d1", "a3");
    assertThat(gathered.next()).containsExactly("a1", "a2", "a3", "b1");
    assertThat(gathered.sinceNanos()).isEqualTo(1);
    assertThat(gathered.next()).containsExactly("b2", "c1", "d1");
    assertThat(gathered.size()).isZero();
  }

  @Test
  void anAccountWithABatchOfItsOwnWaitsForNobody() {
    add("a1", "b1", "b2", "b3", "b4", "b5");
    assertThat(gathered.next()).containsExactly("b1", "b2", "b3", "b4");
    assertThat(gathered.sinceNanos()).isZero();
    assertThat(gathered.next()).containsExactly("a1", "b5");
  }

  @Property(tries = 300)
  void everyEventLeavesOnceInTheOrderOfItsAccount(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 9) Integer> accounts,
      @ForAll @IntRange(min = 1, max = 7) int batch,
      @ForAll @IntRange(min = 1, max = 5) int leavesEvery) {
    final GatheredUsage<int[]> events = new GatheredUsage<>(batch);
    final Map<Integer, List<Integer>> left = new HashMap<>();
    final Map<Integer, List<Integer>> added = new HashMap<>();
    for (int i = 0; i < accounts.size(); i++) {
      final int account = accounts.get(i);
      events.add(new Id128(0, account + 1), new int[] {account, i}, i);
      added.computeIfAbsent(account, id -> new ArrayList<>()).add(i);
      if (i % leavesEvery == 0) {
        leave(events, batch, left);
      }
    }
    while (events.size() > 0) {
      leave(events, batch, left);
    }
    assertThat(left).isEqualTo(added);
  }

  private static void leave(
      GatheredUsage<int[]> events, int batch, Map<Integer, List<Integer>> left) {
    final int before = events.size();
    final List<int[]> next = events.next();
    assertThat(next).hasSize(Math.min(before, batch));
    assertThat(events.size()).isEqualTo(before - next.size());
    next.forEach(event -> left.computeIfAbsent(event[0], id -> new ArrayList<>()).add(event[1]));
  }
}
