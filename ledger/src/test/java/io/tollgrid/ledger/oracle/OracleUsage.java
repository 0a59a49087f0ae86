package io.tollgrid.ledger.oracle;

import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every part that was ever accepted and every delivery that was ever rejected (R20). */
final class OracleUsage {
  private static final BigInteger NANOS_PER_MILLI = BigInteger.valueOf(1_000_000);

  private record Part(Id128 requestId, int part) {}

  private record Delivery(Id128 writer, long sequence) {}

  /** An accepted part. */
  static final class Recorded {
    final UsageVerdict verdict;
    final long units;
    private final Delivery delivery;
    long credited;

    private Recorded(UsageVerdict verdict, long units, Delivery delivery) {
      this.verdict = verdict;
      this.units = units;
      this.delivery = delivery;
    }
  }

  private final LedgerLimits limits;
  private final Map<Part, Recorded> parts = new HashMap<>();
  private final Map<Delivery, UsageVerdict> rejected = new HashMap<>();

  OracleUsage(LedgerLimits limits) {
    this.limits = limits;
  }

  /** The part, if it was billed. */
  @Nullable Recorded billed(Id128 requestId, int part) {
    final Recorded recorded = parts.get(new Part(requestId, part));
    return recorded == null || recorded.verdict == UsageVerdict.UNFUNDED ? null : recorded;
  }

  /** A delivery keeps its first classification; another one of an accepted part is a duplicate. */
  @Nullable UsageVerdict onRecord(UsageEvent event) {
    final Delivery delivery = deliveryOf(event);
    final Recorded part = parts.get(partOf(event));
    if (part != null && part.delivery.equals(delivery)) {
      return part.verdict;
    }
    final UsageVerdict before = rejected.get(delivery);
    if (before != null) {
      return before;
    }
    return part == null ? null : UsageVerdict.DUPLICATE;
  }

  /** Usage of an account that does not exist is rejected and kept. */
  List<UsageVerdict> ofNobody(List<UsageEvent> events) {
    final List<UsageVerdict> verdicts = new ArrayList<>();
    for (final UsageEvent event : events) {
      final UsageVerdict before = onRecord(event);
      if (before == null) {
        record(event, UsageVerdict.UNKNOWN_ACCOUNT);
      }
      verdicts.add(before == null ? UsageVerdict.UNKNOWN_ACCOUNT : before);
    }
    return verdicts;
  }

  void record(UsageEvent event, UsageVerdict verdict) {
    if (verdict.kind() == UsageVerdict.Kind.REJECTED) {
      rejected.put(deliveryOf(event), verdict);
    } else {
      parts.put(partOf(event), new Recorded(verdict, event.units(), deliveryOf(event)));
    }
  }

  /**
   * Classifies a new event and moves the units.
   *
   * @param lease the lease it names by a real capability, or null
   */
  UsageVerdict classify(
      UsageEvent event,
      long now,
      OracleBooks books,
      @Nullable OracleLease lease,
      boolean everElastic) {
    final UsageVerdict id = requestId(event.requestId(), BigInteger.valueOf(now));
    if (id != null) {
      return id;
    }
    final BigInteger units = BigInteger.valueOf(event.units());
    if (event.funding() instanceof Funding.Leased) {
      return leased(books, lease, units);
    }
    if (event.funding() instanceof Funding.Unfunded) {
      if (books.unfunded.add(units).compareTo(OracleBooks.LIMIT) > 0) {
        return UsageVerdict.USAGE_OVERFLOW;
      }
      books.unfunded = books.unfunded.add(units);
      return UsageVerdict.UNFUNDED;
    }
    if (!everElastic) {
      return UsageVerdict.OVERAGE_FORBIDDEN;
    }
    if (!books.fits(event.units())) {
      return UsageVerdict.USAGE_OVERFLOW;
    }
    books.overage = books.overage.add(units);
    books.billed = books.billed.add(units);
    return UsageVerdict.OVERAGE;
  }

  private static UsageVerdict leased(
      OracleBooks books, @Nullable OracleLease lease, BigInteger units) {
    if (lease == null) {
      return UsageVerdict.NO_SUCH_LEASE;
    }
    if (lease.active()) {
      if (units.compareTo(lease.left()) > 0) {
        return UsageVerdict.BEYOND_LEASE;
      }
      lease.spend(units);
      books.billed = books.billed.add(units);
      return UsageVerdict.LEASED;
    }
    if (units.compareTo(lease.loss) > 0) {
      return UsageVerdict.BEYOND_LOSS;
    }
    lease.claim(units);
    books.billed = books.billed.add(units);
    return UsageVerdict.STRAGGLER;
  }

  private @Nullable UsageVerdict requestId(Id128 id, BigInteger now) {
    final BigInteger made = BigInteger.valueOf(id.high() >>> 16).multiply(NANOS_PER_MILLI);
    final BigInteger latest = now.add(BigInteger.valueOf(limits.requestIdAheadNanos()));
    if (id.toUuid().version() != 7 || id.toUuid().variant() != 2 || made.compareTo(latest) > 0) {
      return UsageVerdict.REQUEST_ID_INVALID;
    }
    // Of the last whole millisecond that the horizon reaches back to, every id is remembered.
    final BigInteger oldest = now.subtract(BigInteger.valueOf(limits.requestIdHorizonNanos()));
    return made.add(NANOS_PER_MILLI).compareTo(oldest) <= 0
        ? UsageVerdict.REQUEST_ID_TOO_OLD
        : null;
  }

  private static Part partOf(UsageEvent event) {
    return new Part(event.requestId(), event.part());
  }

  private static Delivery deliveryOf(UsageEvent event) {
    return new Delivery(event.writer(), event.sequence());
  }
}
