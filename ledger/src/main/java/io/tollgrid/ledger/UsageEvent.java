package io.tollgrid.ledger;

import java.util.List;

/**
 * The billing record of one part of one leg of one committed request (R20).
 *
 * <p>{@code (account, requestId, part)} identifies it for ever; {@code (writer, sequence)}
 * identifies one delivery of it.
 *
 * @param requestId a time-ordered id (R20)
 * @param part 0 for the reservation, 1 and up for its extensions
 * @param role billing or cap
 * @param funding what paid
 * @param units units to bill, 0 or more
 * @param requests how many requests it stands for: 1, or more when the operation is aggregated
 * @param meters how the units split over meters; empty, or summing to {@code units}
 * @param keyId the credential that asked, {@link Id128#ZERO} if unattributable
 * @param policyRevision identity of the policy that priced it, {@link Bits256#ZERO} if unstated
 *     (R25)
 * @param occurredAtNanos when the request started, epoch nanoseconds
 * @param writer the process start that recorded it
 * @param sequence its number at that writer, from 1
 */
public record UsageEvent(
    Id128 requestId,
    int part,
    LegRole role,
    Funding funding,
    long units,
    long requests,
    List<MeterUnits> meters,
    Id128 keyId,
    Bits256 policyRevision,
    long occurredAtNanos,
    Id128 writer,
    long sequence) {
  /** The same event in another delivery. */
  public UsageEvent deliveredAs(Id128 byWriter, long withSequence) {
    return new UsageEvent(
        requestId,
        part,
        role,
        funding,
        units,
        requests,
        meters,
        keyId,
        policyRevision,
        occurredAtNanos,
        byWriter,
        withSequence);
  }

  /** Meters one event can break down into. */
  public static final int MAX_METERS = 16;

  /** Refuses negative numbers, and a breakdown that does not sum to the units. */
  public UsageEvent {
    meters = List.copyOf(meters);
    if (part < 0 || units < 0 || requests < 1 || sequence < 1 || meters.size() > MAX_METERS) {
      throw new IllegalArgumentException(
          "usage event "
              + requestId
              + "/"
              + part
              + " has "
              + units
              + " units, "
              + requests
              + " requests, sequence "
              + sequence
              + ", "
              + meters.size()
              + " meters");
    }
    if (!meters.isEmpty()) {
      long rest = units;
      for (final MeterUnits share : meters) {
        if (share.units() > rest) {
          throw new IllegalArgumentException(
              "the meters of " + requestId + "/" + part + " exceed its " + units + " units");
        }
        rest -= share.units();
      }
      if (rest != 0) {
        throw new IllegalArgumentException(
            "the meters of "
                + requestId
                + "/"
                + part
                + " leave "
                + rest
                + " of its "
                + units
                + " units unexplained");
      }
    }
  }
}
