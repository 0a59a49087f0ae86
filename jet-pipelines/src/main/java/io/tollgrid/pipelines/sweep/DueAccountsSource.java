package io.tollgrid.pipelines.sweep;

import com.hazelcast.jet.Traverser;
import com.hazelcast.jet.Traversers;
import com.hazelcast.jet.Util;
import com.hazelcast.jet.core.AbstractProcessor;
import java.util.Map;

/**
 * The first stage: hands out the accounts of each page with the cutoff of their pass, as ledger
 * keys so that each goes to its owner. Has a thread of its own, since reads block.
 */
final class DueAccountsSource extends AbstractProcessor {
  private final SweepPasses passes;
  private final SweepReport report;
  private Traverser<Map.Entry<String, Long>> page = Traversers.empty();

  DueAccountsSource(SweepPasses passes, SweepReport report) {
    this.passes = passes;
    this.report = report;
  }

  @Override
  public boolean isCooperative() {
    return false;
  }

  @Override
  protected void init(Context context) {
    report.readingBegins();
  }

  @Override
  public boolean complete() {
    if (emitFromTraverser(page)) {
      final SweepPasses.Batch next = passes.next();
      page =
          Traversers.traverseIterable(next.accounts())
              .map(account -> Util.entry(account.toHex(), next.cutoffNanos()));
    }
    return false;
  }

  @Override
  public void close() {
    report.readingEnds();
  }
}
