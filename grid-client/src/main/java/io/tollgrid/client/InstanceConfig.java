package io.tollgrid.client;

import io.tollgrid.client.config.ClusterKeys;
import io.tollgrid.client.config.EffectiveConfig;
import io.tollgrid.client.config.Key;
import io.tollgrid.client.config.Settings;
import io.tollgrid.client.config.SettingsReader;
import io.tollgrid.client.config.Stated;
import io.tollgrid.grid.MemberTerms;
import io.tollgrid.ledger.Id128;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an embedded instance runs with. Immutable; every value was checked, alone and against the
 * others, before this exists (R42).
 *
 * <p>It comes from a YAML file that the environment overrides key by key, or from a {@link
 * #builder()}; {@code docs/embedding.md} lists the keys.
 *
 * @param cluster where the grid is, and how it is entered
 * @param settings how the instance behaves
 * @param maxSkew by how much clocks may differ; the same as on the members (R57)
 */
public record InstanceConfig(Cluster cluster, InstanceSettings settings, Duration maxSkew) {
  /** How an instance takes part in a grid. */
  public enum Mode {
    /** As a client: cheap to start and to lose. */
    CLIENT,
    /** As a member without ledgers: a step nearer, and everybody's concern when it is frozen. */
    LITE
  }

  /**
   * Where the grid is, and how it is entered.
   *
   * @param mode as what
   * @param terms its name, its members, and what whoever takes part has in common; a client binds
   *     nothing
   * @param connectTimeout how long the first connection may take
   */
  public record Cluster(Mode mode, MemberTerms terms, Duration connectTimeout) {}

  /**
   * Reads a YAML file, and the environment of this process over it.
   *
   * @throws io.tollgrid.client.config.ConfigException for anything that is not exactly a valid
   *     configuration, naming the file and the key
   */
  public static InstanceConfig load(final Path file) {
    return explained(file, System.getenv()).config();
  }

  /**
   * Reads a configuration, and says where each value came from.
   *
   * @param file the YAML file, or null to do without
   * @param environment variables; only names that start with {@code TOLLGRID_} matter
   * @throws io.tollgrid.client.config.ConfigException as in {@link #load}
   */
  public static EffectiveConfig<InstanceConfig> explained(
      final @Nullable Path file, final Map<String, String> environment) {
    final SettingsReader reader = new SettingsReader(InstanceKeys.ALL);
    if (file != null) {
      reader.file(file);
    }
    final Settings settings = reader.environment(environment, Path.of("")).settings();
    return settings.explain(new InstanceAssembly(settings).config());
  }

  /** The same for an instance that proves secrets under this key, which is no setting. */
  public InstanceConfig proving(final CredentialKey key) {
    return new InstanceConfig(cluster, settings.with(settings.policies().proving(key)), maxSkew);
  }

  /** A configuration made in code: neither a file nor the environment has a say in it. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Makes a configuration; whatever is not stated has its default. Each method throws {@link
   * io.tollgrid.client.config.ConfigException} for a value out of its bounds. Not thread-safe.
   */
  public static final class Builder {
    private static final String ORIGIN = "the builder";

    private final SettingsReader reader = new SettingsReader(InstanceKeys.ALL);

    private Builder() {}

    /** States any key as the environment would, such as {@code set("leases.ttl", "30s")}. */
    public Builder set(final String key, final String value) {
      reader.stated(new Stated(key, value, ORIGIN), Path.of(""));
      return this;
    }

    /** The name that members and clients share. */
    public Builder clusterName(final String name) {
      return value(ClusterKeys.NAME, name);
    }

    /** Members by which the others are found, as {@code host:port}. */
    public Builder addresses(final String... addresses) {
      return value(InstanceKeys.CLUSTER_ADDRESSES, List.of(addresses));
    }

    /** As what the grid is entered. */
    public Builder mode(final Mode mode) {
      return value(InstanceKeys.CLUSTER_MODE, mode);
    }

    /** How long the first connection may take. */
    public Builder connectTimeout(final Duration timeout) {
      return value(InstanceKeys.CLUSTER_CONNECT_TIMEOUT, timeout);
    }

    /** The principals it must be able to admit to be ready; if none, it waits for nobody. */
    public Builder tracked(final Id128... principals) {
      return value(InstanceKeys.POLICIES_TRACKED, Optional.of(List.of(principals)));
    }

    /** How long a lease lasts, and how long before its end it is spent no more. */
    public Builder leases(final Duration ttl, final Duration margin) {
      return value(InstanceKeys.LEASES_TTL, ttl).value(InstanceKeys.MARGIN.margin(), margin);
    }

    /** One deadline for the whole stop. */
    public Builder shutdownTimeout(final Duration timeout) {
      return value(ClusterKeys.SHUTDOWN_TIMEOUT, timeout);
    }

    /**
     * The configuration.
     *
     * @throws io.tollgrid.client.config.ConfigException for a combination that is unsafe
     */
    public InstanceConfig build() {
      return new InstanceAssembly(reader.settings()).config();
    }

    private <T> Builder value(final Key<T> key, final T value) {
      reader.value(key, value, ORIGIN);
      return this;
    }
  }
}
