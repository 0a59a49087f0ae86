package io.tollgrid.pipelines.ingest;

import com.hazelcast.jet.core.AbstractProcessor;
import io.tollgrid.grid.usage.MemberInbox;
import io.tollgrid.grid.usage.TakenUsage;
import io.tollgrid.grid.usage.UsageRecorder;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last stage: has this member's accounts record their usage, and writes down in the inbox what
 * came of it.
 */
final class RecordStage extends AbstractProcessor {
  private final UsageRecorder recorder;
  private final Classifications classifications;
  private @Nullable MemberInbox inbox;

  RecordStage(UsageRecorder recorder, Classifications classifications) {
    this.recorder = recorder;
    this.classifications = classifications;
  }

  @Override
  protected void init(Context context) {
    inbox = new MemberInbox(context.hazelcastInstance());
  }

  /**
   * Leaves an item where it is while there is no room; Jet then asks again, and holds the source.
   */
  @Override
  protected boolean tryProcess0(Object item) {
    final TakenUsage taken = (TakenUsage) ((Map.Entry<?, ?>) item).getValue();
    if (!classifications.offered(taken) || recorder.offer(taken)) {
      return true;
    }
    classifications.notTaken(taken);
    work();
    return false;
  }

  @Override
  public boolean tryProcess() {
    work();
    return true;
  }

  private void work() {
    recorder.work();
    classifications.writeDown(Objects.requireNonNull(inbox, "recording begins with its init"));
  }

  @Override
  public boolean complete() {
    work();
    return true;
  }
}
