package io.tollgrid.node.wire;

import com.hazelcast.map.EntryProcessor;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Work that a member has the class of, without a serializer: in Compact form it names itself. That
 * it was made on a member is told by a system property.
 */
public final class HostileTask implements Callable<String> {
  static final String MADE = "tollgrid.test.hostile-made";

  /** A field, so that it has a schema. */
  private final String what;

  /** As the grid makes it. */
  public HostileTask() {
    this("nothing");
    System.setProperty(MADE, "true");
  }

  HostileTask(String what) {
    this.what = what;
  }

  @Override
  public String call() {
    return what;
  }

  /** The same in Java's own form. */
  public static final class Processor implements EntryProcessor<String, Object, String> {
    private static final long serialVersionUID = 1L;

    @Override
    @SuppressWarnings("NullAway") // how an entry is removed
    public String process(Map.Entry<String, Object> entry) {
      entry.setValue(null);
      return "removed";
    }

    @Override
    public @Nullable EntryProcessor<String, Object, String> getBackupProcessor() {
      return null;
    }

    private Object readResolve() {
      System.setProperty(MADE, "true");
      return this;
    }
  }
}
