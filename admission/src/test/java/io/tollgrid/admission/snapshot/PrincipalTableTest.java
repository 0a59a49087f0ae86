package io.tollgrid.admission.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tollgrid.ledger.Id128;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Witnesses R26: a principal that is there is found, by readers that never wait for a writer. */
class PrincipalTableTest {
  private static final int MANY = 20_000;

  @Property(tries = 300)
  void itHoldsWhatAMapHolds(
      @ForAll @Size(max = 600) final List<@IntRange(max = 299) Integer> steps) {
    final PrincipalTable table = new PrincipalTable();
    final Map<Integer, Principal> map = new HashMap<>();
    for (final int step : steps) {
      final Principal known = map.remove(step);
      if (known != null) {
        table.remove(known);
      } else {
        final Principal added = new Principal(id(step));
        map.put(step, added);
        table.add(added);
      }
      assertThat(find(table, step)).isSameAs(map.get(step));
      assertThat(table.size()).isEqualTo(map.size());
    }
    for (int n = 0; n < 300; n++) {
      assertThat(find(table, n)).isSameAs(map.get(n));
    }
  }

  /** Both ids fall on one place of every table. */
  @Example
  void idsThatCollideAreToldApart() {
    final PrincipalTable table = new PrincipalTable();
    final List<Principal> principals = new ArrayList<>();
    for (int n = 0; n < 200; n++) {
      final Principal principal = new Principal(new Id128((long) n << 32, n));
      principals.add(principal);
      table.add(principal);
    }
    for (int n = 0; n < 200; n += 2) {
      table.remove(principals.get(n));
    }
    for (int n = 0; n < 200; n++) {
      assertThat(table.find((long) n << 32, n)).isSameAs(n % 2 == 0 ? null : principals.get(n));
    }
  }

  @Example
  void theZeroIdIsAnIdAndNoMarkOfARemoval() {
    final PrincipalTable table = new PrincipalTable();
    final Principal zero = new Principal(Id128.ZERO);
    assertThat(table.find(0, 0)).isNull();

    table.add(zero);
    assertThat(table.find(0, 0)).isSameAs(zero);
    table.remove(zero);
    assertThat(table.find(0, 0)).isNull();
  }

  @Example
  void comingAndGoingDoesNotFillIt() {
    final PrincipalTable table = new PrincipalTable();
    final Principal stays = new Principal(id(0));
    table.add(stays);
    for (int n = 1; n < MANY; n++) {
      final Principal passing = new Principal(id(n));
      table.add(passing);
      table.remove(passing);
      assertThat(table.find(0, n)).isNull();
    }
    assertThat(find(table, 0)).isSameAs(stays);
    assertThat(table.size()).isEqualTo(1);
  }

  @Example
  @Tag("stress")
  void readersFindWhatStaysWhileItIsMadeAnew() throws Exception {
    final PrincipalTable table = new PrincipalTable();
    final List<Principal> stay = new ArrayList<>();
    for (int n = 0; n < 50; n++) {
      stay.add(new Principal(id(n)));
      table.add(stay.get(n));
    }
    final AtomicBoolean done = new AtomicBoolean();
    final ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      final List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(
            pool.submit(
                () -> {
                  long missed = 0;
                  while (!done.get()) {
                    for (int n = 0; n < stay.size(); n++) {
                      missed += find(table, n) == stay.get(n) ? 0 : 1;
                    }
                    missed += find(table, -1) == null ? 0 : 1;
                  }
                  return missed;
                }));
      }
      final List<Principal> passing = new ArrayList<>();
      for (int n = 50; n < MANY; n++) {
        final Principal principal = new Principal(id(n));
        table.add(principal);
        passing.add(principal);
        if (n % 1_000 == 0) {
          passing.forEach(table::remove);
          passing.clear();
        }
      }
      done.set(true);
      for (final Future<Long> reader : readers) {
        assertThat(reader.get()).isZero();
      }
    } finally {
      done.set(true);
      pool.shutdownNow();
    }
  }

  private static Principal find(final PrincipalTable table, final int n) {
    return table.find(id(n).high(), id(n).low());
  }

  private static Id128 id(final int n) {
    return new Id128(n % 7, n);
  }
}
