package io.tollgrid.verification.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a campaign came to. */
public final class CampaignReport {
  private final int runs;
  private final long steps;
  private final Coverage coverage;
  private final List<Finding> findings;

  CampaignReport(int runs, long steps, Coverage coverage, List<Finding> findings) {
    this.runs = runs;
    this.steps = steps;
    this.coverage = coverage;
    this.findings = List.copyOf(findings);
  }

  /** Seeds run. */
  public int runs() {
    return runs;
  }

  /** Steps checked, over all seeds. */
  public long steps() {
    return steps;
  }

  /** Rules seen broken. */
  public int violations() {
    return findings.size();
  }

  /** How often each cell of the coverage table was reached, in the table's order. */
  public Map<String, Long> coverage() {
    return coverage.cells();
  }

  /** Cells of the coverage table that were not reached. */
  public Set<String> emptyCells() {
    return coverage.empty();
  }

  /** Sums of the coverage table that are zero: an answer, a command, a fault nobody met at all. */
  public Set<String> emptySums() {
    return coverage.emptySums();
  }

  /** Answers that were reached though the table calls them impossible. */
  public Set<String> unexpectedCells() {
    return coverage.unexpected();
  }

  /** One paragraph per broken rule: the rule, its shrunk trace, and how to see it again. */
  public List<String> traces() {
    final List<String> traces = new ArrayList<>();
    for (final Finding finding : findings) {
      final StringBuilder text = new StringBuilder();
      text.append("seed ").append(finding.seed()).append(" broke ");
      text.append(finding.violation().getMessage()).append('\n');
      finding.narrated().forEach(line -> text.append("  ").append(line).append('\n'));
      if (finding.atRest()) {
        text.append("  … and the fleet is brought to rest\n");
      }
      text.append("again: ./tollgrid simulate --seed ").append(finding.seed());
      text.append(" --steps ").append(finding.steps());
      traces.add(text.toString());
    }
    return traces;
  }
}
