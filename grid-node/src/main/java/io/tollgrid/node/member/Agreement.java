package io.tollgrid.node.member;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import io.tollgrid.client.config.ConfigException;
import io.tollgrid.node.config.NodeConfig;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What all members of a cluster must have alike, shown to the others as member attributes.
 *
 * <p>Two members with different bounds would judge the same command differently, and one with
 * another operator key would refuse every operator; both are configuration errors that nobody would
 * see, so the member that joins later refuses to start.
 */
public final class Agreement {
  private static final String PREFIX = "tollgrid.";

  private Agreement() {}

  /**
   * The attributes of a member.
   *
   * @param operatorKeyFingerprint tells one operator key from another and nothing else
   */
  public static Map<String, String> attributes(NodeConfig config, String operatorKeyFingerprint) {
    final Map<String, String> attributes = new TreeMap<>();
    attributes.put(
        PREFIX + "cluster.expectedMembers", Integer.toString(config.cluster().expectedMembers()));
    attributes.put(PREFIX + "ledger", config.ledger().toString());
    attributes.put(PREFIX + "operator.keyFile", operatorKeyFingerprint);
    return attributes;
  }

  /**
   * Compares this member with all others.
   *
   * @throws ConfigException naming the key that differs and the member it differs from
   */
  public static void verify(HazelcastInstance hazelcast) {
    final Member local = hazelcast.getCluster().getLocalMember();
    for (final Member other : hazelcast.getCluster().getMembers()) {
      if (other.isLiteMember() || other.equals(local)) {
        continue;
      }
      for (final Map.Entry<String, String> ours : local.getAttributes().entrySet()) {
        final @Nullable String theirs = other.getAttribute(ours.getKey());
        if (ours.getKey().startsWith(PREFIX) && !ours.getValue().equals(theirs)) {
          throw new ConfigException(
              ours.getKey().substring(PREFIX.length())
                  + ": differs from that of member "
                  + other.getAddress()
                  + "; all members of a cluster need the same");
        }
      }
    }
  }
}
