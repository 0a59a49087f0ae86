package io.tollgrid.grid;

import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.JavaSerializationFilterConfig;

/**
 * Which classes Java deserialization may create on a member or a client.
 *
 * <p>Nothing of Tollgrid's protocol uses Java serialization. What is left are failures that travel
 * from member to member as exceptions, and the plans of Hazelcast's own SQL engine; these are
 * listed, everything else is refused (architecture §7). Jobs add one class that holds a name.
 */
public final class JavaDeserialization {
  private JavaDeserialization() {}

  /** The classes that may be created; everything else is refused. */
  public static JavaSerializationFilterConfig allowList() {
    final ClassFilter allowed = new ClassFilter();
    allowed.addPrefixes(
        "[",
        "com.hazelcast.",
        "java.io.",
        "java.lang.",
        "java.math.",
        "java.sql.",
        "java.time.",
        "java.util.");
    allowed.addPackages("io.tollgrid.ledger", "io.tollgrid.ledger.port", "io.tollgrid.mapstore");
    allowed.addPackages("org.postgresql.util");
    allowed.addClasses(MemberStage.class.getName());
    allowed.addClasses(
        "java.net.ConnectException",
        "java.net.NoRouteToHostException",
        "java.net.SocketException",
        "java.net.SocketTimeoutException",
        "java.net.UnknownHostException");
    final ClassFilter refused = new ClassFilter();
    refused.addPrefixes("java.util.logging.");
    return new JavaSerializationFilterConfig()
        .setDefaultsDisabled(true)
        .setWhitelist(allowed)
        .setBlacklist(refused);
  }
}
