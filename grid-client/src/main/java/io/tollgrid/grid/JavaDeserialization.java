package io.tollgrid.grid;

import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.JavaSerializationFilterConfig;
import java.io.ObjectInputFilter;
import java.util.List;
import java.util.Set;

/**
 * Which classes Java deserialization may create on a member or a client.
 *
 * <p>Nothing of Tollgrid's protocol uses Java serialization. What is left are failures that travel
 * from member to member as exceptions, and the plans of Hazelcast's own SQL engine; these are
 * listed, everything else is refused (architecture §7). Jobs add one class that holds a name.
 */
public final class JavaDeserialization {
  private static final List<String> PREFIXES =
      List.of(
          "com.hazelcast.",
          "java.io.",
          "java.lang.",
          "java.math.",
          "java.sql.",
          "java.time.",
          "java.util.");
  private static final Set<String> PACKAGES =
      Set.of(
          "io.tollgrid.ledger",
          "io.tollgrid.ledger.port",
          "io.tollgrid.mapstore",
          "org.postgresql.util");
  private static final Set<String> CLASSES =
      Set.of(
          MemberStage.class.getName(),
          "java.net.ConnectException",
          "java.net.NoRouteToHostException",
          "java.net.SocketException",
          "java.net.SocketTimeoutException",
          "java.net.UnknownHostException");
  private static final String REFUSED = "java.util.logging.";

  /** Deeper graphs cost time that doubles with each level; failures and plans are far from it. */
  private static final int MAX_DEPTH = 64;

  private static final int MAX_ARRAY = 1 << 24;

  private JavaDeserialization() {}

  /** The classes that Hazelcast's own reader may create; everything else is refused. */
  public static JavaSerializationFilterConfig allowList() {
    final ClassFilter allowed = new ClassFilter();
    allowed.addPrefixes("[");
    allowed.addPrefixes(PREFIXES.toArray(String[]::new));
    allowed.addPackages(PACKAGES.toArray(String[]::new));
    allowed.addClasses(CLASSES.toArray(String[]::new));
    final ClassFilter refused = new ClassFilter();
    refused.addPrefixes(REFUSED);
    return new JavaSerializationFilterConfig()
        .setDefaultsDisabled(true)
        .setWhitelist(allowed)
        .setBlacklist(refused);
  }

  /**
   * Has the list hold for every object stream of this process: Hazelcast reads some of what a job
   * consists of through streams that its own filter does not see. A filter that the process was
   * started with stays. For a process that is a member and nothing else.
   */
  public static void guardProcess() {
    if (ObjectInputFilter.Config.getSerialFilter() == null) {
      ObjectInputFilter.Config.setSerialFilter(JavaDeserialization::judge);
    }
  }

  /** The list as a filter of object streams. */
  static ObjectInputFilter.Status judge(ObjectInputFilter.FilterInfo info) {
    if (info.depth() > MAX_DEPTH || info.arrayLength() > MAX_ARRAY) {
      return ObjectInputFilter.Status.REJECTED;
    }
    Class<?> type = info.serialClass();
    if (type == null) {
      return ObjectInputFilter.Status.UNDECIDED;
    }
    while (type.isArray()) {
      type = type.getComponentType();
    }
    return type.isPrimitive() || isAllowed(type)
        ? ObjectInputFilter.Status.ALLOWED
        : ObjectInputFilter.Status.REJECTED;
  }

  private static boolean isAllowed(Class<?> type) {
    final String name = type.getName();
    return !name.startsWith(REFUSED)
        && (CLASSES.contains(name)
            || PACKAGES.contains(type.getPackageName())
            || PREFIXES.stream().anyMatch(name::startsWith));
  }
}
