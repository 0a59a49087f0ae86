package io.tollgrid.node;

import com.hazelcast.map.EntryProcessor;
import java.util.Map;

/**
 * What a hostile client sends: a class the member has, in Java's own serialized form. That it was
 * deserialized is told by a system property.
 */
public final class HostileProcessor implements EntryProcessor<String, String, String> {
  static final String DESERIALIZED = "tollgrid.test.hostile-deserialized";
  private static final long serialVersionUID = 1L;

  @Override
  public String process(Map.Entry<String, String> entry) {
    return "ran";
  }

  private Object readResolve() {
    System.setProperty(DESERIALIZED, "true");
    return this;
  }
}
