package io.tollgrid.verification.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the search for one planted bug ended. */
public final class PlantedReport {
  private final PlantedBug bug;
  private final int seeds;
  private final long steps;
  private final @Nullable Finding finding;

  PlantedReport(PlantedBug bug, int seeds, long steps, @Nullable Finding finding) {
    this.bug = bug;
    this.seeds = seeds;
    this.steps = steps;
    this.finding = finding;
  }

  PlantedBug bug() {
    return bug;
  }

  @Nullable Finding finding() {
    return finding;
  }

  /** What was planted. */
  public String name() {
    return bug.label();
  }

  /** Whether a check found it. */
  public boolean found() {
    return finding != null;
  }

  /** Steps it took. */
  public long steps() {
    return steps;
  }

  /** One line: found in how many seeds, shrunk to how many events; or not found. */
  public String summary() {
    return finding == null
        ? "not found in " + seeds + " seeds"
        : "found in " + seeds + " seeds, shrunk to " + finding.events().size() + " events";
  }

  /** The rule that told, and the shrunk trace with what each event led to; empty if not found. */
  public List<String> trace() {
    return finding == null ? List.of() : finding.narrated();
  }

  /** The broken rule; empty if not found. */
  public String violation() {
    return finding == null ? "" : String.valueOf(finding.violation().getMessage());
  }
}
