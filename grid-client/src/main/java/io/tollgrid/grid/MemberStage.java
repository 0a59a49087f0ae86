package io.tollgrid.grid;

import com.hazelcast.jet.core.Processor;
import com.hazelcast.jet.core.ProcessorSupplier;
import java.util.Collection;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stage of a job: nothing but a name, which each member resolves by its own {@link MemberStages}.
 *
 * <p>The only class of Tollgrid's that is part of a serialized job. Whichever member is the master
 * reads every job's graph, and that may be a lite member inside a service, which has no pipelines;
 * so it lives here, and members of different builds read each other's jobs.
 */
public final class MemberStage implements ProcessorSupplier {
  private static final long serialVersionUID = 1L;

  private final String name;
  private transient @Nullable MemberStages stages;

  /** The stage of this name. */
  public MemberStage(String name) {
    this.name = name;
  }

  @Override
  public void init(Context context) {
    final Object found = context.hazelcastInstance().getUserContext().get(MemberStages.CONTEXT_KEY);
    if (!(found instanceof MemberStages known)) {
      throw new IllegalStateException(
          "member "
              + context.hazelcastInstance().getName()
              + " was not started as a ledger member and cannot run stage "
              + name);
    }
    stages = known;
  }

  @Override
  public Collection<? extends Processor> get(int count) {
    final MemberStages known = stages;
    if (known == null) {
      throw new IllegalStateException("stage " + name + " is asked for work before it began");
    }
    return Stream.generate(() -> known.newProcessor(name)).limit(count).toList();
  }
}
