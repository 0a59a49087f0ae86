package io.tollgrid.client;

import io.tollgrid.admission.snapshot.SnapshotMapLimits;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.policy.Subject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The size of the simulated fleet plane: few of everything and short times, so that every bound is
 * met every few hundred events.
 */
final class FleetScale {
  static final long MILLI = SimulatedFleet.MILLI;
  static final long SECOND = 1_000 * MILLI;

  static final int MAX_INSTANCES = 4;
  static final int MAX_NEGATIVES = 3;
  static final int MAX_CREDENTIALS = 12;

  /** Credentials that nobody presents: with them a reading takes two pages. */
  static final int BALLAST_CREDENTIALS = 511;

  static final long TTL_NANOS = 10 * SECOND;
  static final long GRACE_NANOS = 2 * SECOND;
  static final long REFRESH_NANOS = 4 * SECOND;
  static final long STALE_NANOS = 12 * SECOND;
  static final long LINGER_NANOS = 6 * SECOND;
  static final long MAX_BACKOFF_NANOS = SECOND;

  /** How old an answer may be beyond its question, at an authority that lags. */
  static final long LAG_NANOS = SECOND;

  /** Within which time word is acted on: a few reads, one after the other. */
  static final long PUSH_NANOS = 400 * MILLI;

  /** Within which time what was published is in force without word. */
  static final long REFRESHED_NANOS = REFRESH_NANOS + SECOND;

  /** Within which time new funding is felt by whoever asks for it: a backstop and some commands. */
  static final long FELT_NANOS = 4 * SECOND;

  static final long OVERAGE_CAP_UNITS = 15;

  static final List<Id128> HOMES = IntStream.range(1, 5).mapToObj(FleetScale::account).toList();

  /** Pays beside a home account for some: an aggregate cap. */
  static final Id128 PARENT = account(9);

  static final List<Id128> ACCOUNTS = Stream.concat(HOMES.stream(), Stream.of(PARENT)).toList();

  /** The one home account that may go beyond its allocation. */
  static final Id128 ELASTIC = account(4);

  static final List<Id128> PRINCIPALS =
      IntStream.range(0, 8).mapToObj(n -> Subject.of("acme/user-" + n).principal()).toList();

  /** Somebody of whom nothing is on record, ever. */
  static final Id128 STRANGER = Subject.of("nobody/at-all").principal();

  static final List<String> PLANS = List.of("basic", "pro");

  /** A plan that nobody publishes. */
  static final String GHOST_PLAN = "ghost";

  static final CredentialKey KEY = new CredentialKey(new byte[CredentialKey.BYTES]);

  static final LedgerLimits LIMITS =
      new LedgerLimits(
          60 * SECOND,
          GRACE_NANOS,
          64,
          4,
          4,
          60 * SECOND,
          Duration.ofDays(400).toNanos(),
          Duration.ofDays(1).toNanos(),
          4,
          2 * SECOND);

  private static final LeaseSettings LEASES =
      new LeaseSettings(
          TTL_NANOS,
          SECOND,
          2 * SECOND,
          4,
          2,
          4,
          20 * MILLI,
          200 * MILLI,
          10 * MILLI,
          250 * MILLI,
          SECOND,
          300 * MILLI,
          3 * SECOND);

  private FleetScale() {}

  private static Id128 account(int number) {
    return new Id128(0xACC, number);
  }

  /**
   * How an instance behaves.
   *
   * @param forgetful whether it keeps next to nothing of the principals it lost
   */
  static InstanceSettings settings(Tracked tracked, boolean forgetful) {
    return new InstanceSettings(
        LEASES,
        new UsageSettings(5 * MILLI, 16, 16, 1, 12),
        new PolicySettings(
            tracked,
            KEY,
            REFRESH_NANOS,
            STALE_NANOS,
            LINGER_NANOS,
            50 * MILLI,
            MAX_BACKOFF_NANOS,
            new SnapshotMapLimits(SECOND, 3 * SECOND, MAX_NEGATIVES, forgetful ? 1 : 64)),
        20 * SECOND);
  }
}
