package io.tollgrid.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.mapstore.schema.MonthPartitions;
import io.tollgrid.pipelines.maintenance.MonthWatch;
import io.tollgrid.pipelines.testing.ManualClock;
import io.tollgrid.pipelines.testing.ScriptedMonths;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Witnesses R23: whoever could not look at the partitions for a day says so. */
class MonthWatchTest {
  private final ManualClock clock = new ManualClock();
  private final ScriptedMonths months = new ScriptedMonths();

  @Test
  void aPassThatFindsEverythingThereIsGoodForADay() throws SQLException {
    final MonthWatch watch = new MonthWatch(months, clock);
    clock.pass(Duration.ofHours(23));
    watch.pass();
    clock.pass(Duration.ofHours(24));
    assertThat(watch.isLate()).isFalse();
    clock.pass(Duration.ofNanos(1));
    assertThat(watch.isLate()).isTrue();
    months.block("journal_209901");
    watch.pass();
    assertThat(watch.isLate()).as("nothing new is there").isTrue();
    months.heal();
    watch.pass();
    assertThat(watch.isLate()).isFalse();
  }

  @Test
  void rowsInADefaultPartitionAreSeenAlsoIfNothingCanBeCreated() throws SQLException {
    final MonthWatch watch =
        new MonthWatch(
            new MonthWatch.Months() {
              @Override
              public MonthPartitions.Ensured ensure() throws SQLException {
                throw new SQLException("not now");
              }

              @Override
              public List<String> defaultsInUse() {
                return List.of("journal_default");
              }
            },
            clock);

    assertThatThrownBy(watch::pass).isInstanceOf(SQLException.class);

    assertThat(watch.defaultsInUse()).containsExactly("journal_default");
  }
}
