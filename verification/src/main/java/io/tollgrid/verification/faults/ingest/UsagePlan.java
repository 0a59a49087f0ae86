package io.tollgrid.verification.faults.ingest;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * All usage of a run, and the one class of each event: the oracle. Event {@code i} is part {@code i
 * % 2} of request {@code i / 2}; everything else about it is drawn from the seed by its number, so
 * no order of delivery can change it. Immutable.
 *
 * @param seed what it is drawn from
 * @param events how many there are
 * @param accounts how many accounts there are; every eighth is strict, the others are elastic
 * @param baseMillis when the first good request began, epoch milliseconds
 */
record UsagePlan(long seed, int events, int accounts, long baseMillis) {
  /** Units of each of an account's two leases, which all valid events together stay far below. */
  static final long GRANT_UNITS = 1L << 40;

  /** The fence of the lease that was written off before the run. */
  static final long LOST_FENCE = 1;

  /** The fence of the lease that is active all the time. */
  static final long ACTIVE_FENCE = 2;

  private static final int PARTS = 2;
  private static final int UNKNOWN_ACCOUNTS = 20;
  private static final int MOST_UNITS = 1_000;
  private static final long TOO_OLD_MILLIS = Duration.ofDays(402).toMillis();
  private static final long FUTURE_MILLIS = Duration.ofDays(3).toMillis();
  private static final long WRONG_FENCE = 77;

  private static final long REQUEST = 0x51ED;
  private static final long EVENT = 0xE7E7;
  private static final long AGAIN = 0xA6A1;
  private static final long ACCOUNT = 0xACC0;
  private static final long LEASE = 0x1EA5;

  /**
   * One event.
   *
   * @param account whose
   * @param accountIndex which account that is, or -1 if it does not exist
   * @param event the event, as a first delivery of nobody
   * @param verdict what it is classified as, unless the part was accepted from another delivery
   */
  record Part(Id128 account, int accountIndex, UsageEvent event, UsageVerdict verdict) {
    boolean isValid() {
      return verdict.kind() == UsageVerdict.Kind.ACCEPTED;
    }
  }

  /** What somebody claims to be charged, and what becomes of it. */
  private record Claim(Funding funding, long units, UsageVerdict verdict) {}

  /** The id of an account, existing or not. */
  Id128 account(int index) {
    return drawn(ACCOUNT, index);
  }

  /** Whether an account may have overage. */
  static boolean isElastic(int account) {
    return account % 8 != 0;
  }

  /** The id of the lease of an account with a fence. */
  Id128 lease(int account, long fence) {
    return drawn(LEASE, account * 8L + fence + 4);
  }

  private Id128 drawn(long what, long number) {
    return new Id128(draw(what, number), draw(~what, number));
  }

  /** An event and its class. */
  Part part(int number) {
    final int request = number / PARTS;
    final long drawn = draw(REQUEST, request);
    final boolean exists = percent(drawn) >= 1;
    final int index =
        exists
            ? (int) ((drawn >>> 32) % accounts)
            : accounts + (int) ((drawn >>> 32) % UNKNOWN_ACCOUNTS);
    final int idKind = percent(drawn >>> 8);
    final Claim claim = claim(index, draw(EVENT, number));
    final UsageEvent event =
        new UsageEvent(
            requestId(request, idKind),
            number % PARTS,
            LegRole.BILLING,
            claim.funding(),
            claim.units(),
            1,
            List.of(),
            Id128.ZERO,
            Bits256.ZERO,
            TimeUnit.MILLISECONDS.toNanos(baseMillis),
            Id128.ZERO,
            1);
    final UsageVerdict verdict;
    if (!exists) {
      verdict = UsageVerdict.UNKNOWN_ACCOUNT;
    } else if (idKind <= 1) {
      verdict = UsageVerdict.REQUEST_ID_INVALID;
    } else if (idKind == 2) {
      verdict = UsageVerdict.REQUEST_ID_TOO_OLD;
    } else {
      verdict = claim.verdict();
    }
    return new Part(account(index), exists ? index : -1, event, verdict);
  }

  /** The request's number is in its id, so that a row can be traced to its event. */
  private Id128 requestId(int request, int kind) {
    final long low = draw(~REQUEST, request) << 32 | request;
    final long good = baseMillis + request / 1_000;
    return switch (kind) {
      case 0 -> {
        final Id128 ordered = Id128.timeOrdered(good, request, low);
        yield new Id128(ordered.high() ^ 0x3000L, ordered.low());
      }
      case 1 -> Id128.timeOrdered(good + FUTURE_MILLIS, request, low);
      case 2 -> Id128.timeOrdered(good - TOO_OLD_MILLIS, request, low);
      default -> Id128.timeOrdered(good, request, low);
    };
  }

  /** The number of the event with this id, or -1 if none has it. */
  int numberOf(Id128 requestId, int part) {
    final long number = (requestId.low() & 0xFFFF_FFFFL) * PARTS + part;
    if (part < 0 || part >= PARTS || number >= events) {
      return -1;
    }
    final UsageEvent event = part((int) number).event();
    return event.requestId().equals(requestId) && event.part() == part ? (int) number : -1;
  }

  private Claim claim(int account, long drawn) {
    final long units = (drawn >>> 32) % MOST_UNITS;
    final Funding active = new Funding.Leased(lease(account, ACTIVE_FENCE), ACTIVE_FENCE);
    final Funding lost = new Funding.Leased(lease(account, LOST_FENCE), LOST_FENCE);
    final int kind = percent(drawn);
    return switch (kind) {
      case 0 ->
          new Claim(
              new Funding.Leased(lease(account, ACTIVE_FENCE), WRONG_FENCE),
              units,
              UsageVerdict.NO_SUCH_LEASE);
      case 1 ->
          new Claim(
              new Funding.Leased(lease(account, 0), ACTIVE_FENCE),
              units,
              UsageVerdict.NO_SUCH_LEASE);
      case 2 -> new Claim(active, GRANT_UNITS + 1 + units, UsageVerdict.BEYOND_LEASE);
      case 3 -> new Claim(lost, GRANT_UNITS + 1 + units, UsageVerdict.BEYOND_LOSS);
      case 4 -> overage(account, Long.MAX_VALUE, UsageVerdict.USAGE_OVERFLOW);
      default -> {
        if (kind < 30) {
          yield overage(account, units, UsageVerdict.OVERAGE);
        } else if (kind < 40) {
          yield new Claim(new Funding.Unfunded(), units, UsageVerdict.UNFUNDED);
        } else if (kind < 50) {
          yield new Claim(lost, units, UsageVerdict.STRAGGLER);
        }
        yield new Claim(active, units, UsageVerdict.LEASED);
      }
    };
  }

  private static Claim overage(int account, long units, UsageVerdict ifElastic) {
    return new Claim(
        new Funding.Overage(),
        units,
        isElastic(account) ? ifElastic : UsageVerdict.OVERAGE_FORBIDDEN);
  }

  /** Whether an event is delivered a second time, by another writer: one in five. */
  boolean isRedelivered(int number) {
    return draw(AGAIN, number) % 5 == 0;
  }

  /** Whether the second delivery comes long after the first. */
  boolean isRedeliveredLate(int number) {
    return (draw(AGAIN, number) >>> 33 & 1) == 0;
  }

  private static int percent(long drawn) {
    return (int) ((drawn & 0x7FFF_FFFFL) % 100);
  }

  /** A number of 63 bits that looks random; Steele, Lea and Flood's finalizer (2014), twice. */
  private long draw(long what, long number) {
    return mixed(mixed(seed ^ what) + number * 0x9E3779B97F4A7C15L) >>> 1;
  }

  private static long mixed(long bits) {
    final long once = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    final long twice = (once ^ once >>> 27) * 0x94D049BB133111EBL;
    return twice ^ twice >>> 31;
  }

  /** As words a process is started with. */
  List<String> words() {
    return List.of(
        Long.toString(seed),
        Integer.toString(events),
        Integer.toString(accounts),
        Long.toString(baseMillis));
  }

  /** How many words those are. */
  static final int WORDS = 4;

  /** Reads {@link #words}. */
  static UsagePlan of(List<String> words) {
    return new UsagePlan(
        Long.parseLong(words.get(0)),
        Integer.parseInt(words.get(1)),
        Integer.parseInt(words.get(2)),
        Long.parseLong(words.get(3)));
  }
}
