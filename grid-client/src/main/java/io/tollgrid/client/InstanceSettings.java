package io.tollgrid.client;

/**
 * How an instance behaves.
 *
 * @param leases how it keeps its leases
 * @param usage how it ships its usage
 * @param policies how it keeps its policies current
 * @param shutdownNanos the deadline of a shutdown that names none
 */
public record InstanceSettings(
    LeaseSettings leases, UsageSettings usage, PolicySettings policies, long shutdownNanos) {
  /** The defaults of the product; a shutdown takes 20 seconds at most. */
  public static final InstanceSettings DEFAULTS =
      new InstanceSettings(
          LeaseSettings.DEFAULTS, UsageSettings.DEFAULTS, PolicySettings.DEFAULTS, 20_000_000_000L);

  /** Refuses a deadline in the past. */
  public InstanceSettings {
    new Setting("shutdown").require(shutdownNanos >= 0, "timeout", "not be negative");
  }

  /** The same with other leases. */
  public InstanceSettings with(final LeaseSettings other) {
    return new InstanceSettings(other, usage, policies, shutdownNanos);
  }

  /** The same with other usage. */
  public InstanceSettings with(final UsageSettings other) {
    return new InstanceSettings(leases, other, policies, shutdownNanos);
  }

  /** The same with other policies. */
  public InstanceSettings with(final PolicySettings other) {
    return new InstanceSettings(leases, usage, other, shutdownNanos);
  }
}
