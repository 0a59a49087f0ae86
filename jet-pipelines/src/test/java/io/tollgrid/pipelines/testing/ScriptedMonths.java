package io.tollgrid.pipelines.testing;

import io.tollgrid.mapstore.schema.MonthPartitions;
import io.tollgrid.pipelines.maintenance.MonthWatch;
import java.util.List;

/** Month partitions as a test says they are. */
public final class ScriptedMonths implements MonthWatch.Months {
  private volatile List<String> blocked = List.of();
  private volatile List<String> defaultsInUse = List.of();

  /** These cannot be created. */
  public void block(String... partitions) {
    blocked = List.of(partitions);
  }

  /** These hold a row. */
  public void use(String... partitions) {
    defaultsInUse = List.of(partitions);
  }

  /** All is well. */
  public void heal() {
    block();
    use();
  }

  @Override
  public MonthPartitions.Ensured ensure() {
    return new MonthPartitions.Ensured(List.of(), blocked, List.of());
  }

  @Override
  public List<String> defaultsInUse() {
    return defaultsInUse;
  }
}
