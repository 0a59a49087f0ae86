package io.tollgrid.grid.usage;

import io.tollgrid.grid.LedgerAnswer;
import io.tollgrid.grid.LedgerCallException;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes usage to the ledgers: the events of one account share a command, and each account has one
 * command under way.
 *
 * <p>What is offered ends in one of two ways: it is classified, or it is held back, which means
 * that it is not with the recorder any more and may be offered again. An account that fails keeps
 * nothing here, and one that is slow nothing but the command that is under way once there is no
 * room, so they delay nobody else (R22); an event that spoils its batch is found by halving, and
 * its neighbours go on. Nothing here throws. Thread-safe.
 */
public final class UsageRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(UsageRecorder.class);

  /** Whom the journal names for what it records. */
  public static final String ACTOR = "usage";

  private static final long WARN_AT_MOST_EVERY_NANOS = Duration.ofSeconds(10).toNanos();

  /** A ledger client asks for up to so many times the time a command may act what became of it. */
  private static final int UNANSWERED_TIMES = 4;

  /** So many failures in a row deserve a person's attention. */
  private static final int STUCK_AFTER = 4;

  /** Where the ends of events go. Called by any thread; must neither block nor throw. */
  public interface Ends {
    /** The ledger has each on record, durably, as this and never as anything else. */
    void classified(List<TakenUsage> taken, List<UsageVerdict> verdicts);

    /** They were not recorded as far as is known. */
    void heldBack(List<TakenUsage> taken);

    /** A command of some account was of no use. */
    void failed(String code);
  }

  private record Failing(int streak, long notBeforeNanos, long seenNanos) {}

  private record Send(LedgerClient client, Lane lane, List<TakenUsage> batch) {}

  /** The events of one account. */
  private static final class Lane {
    final Id128 account;
    final boolean retries;
    final Deque<TakenUsage> waiting = new ArrayDeque<>();

    /** Parts of a batch that was refused as a whole. */
    final Deque<List<TakenUsage>> parts = new ArrayDeque<>(0);

    /** Means something while it is among the sent. */
    long sentNanos;

    Lane(Id128 account, boolean retries) {
      this.account = account;
      this.retries = retries;
    }

    List<TakenUsage> next() {
      if (!parts.isEmpty()) {
        return parts.removeFirst();
      }
      final int size = Math.min(waiting.size(), LedgerCommand.RecordUsage.MAX_EVENTS);
      final List<TakenUsage> batch = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        batch.add(waiting.removeFirst());
      }
      return batch;
    }

    boolean isEmpty() {
      return parts.isEmpty() && waiting.isEmpty();
    }

    List<TakenUsage> takeAll() {
      final List<TakenUsage> all = new ArrayList<>(waiting);
      parts.forEach(all::addAll);
      waiting.clear();
      parts.clear();
      return all;
    }
  }

  private final Supplier<@Nullable LedgerClient> ledgers;
  private final LedgerClock clock;
  private final RecorderSettings settings;
  private final Ends ends;
  private final AtomicInteger working = new AtomicInteger();

  // guarded by this
  private final Map<Id128, Lane> lanes = new HashMap<>();
  private final Deque<Lane> ready = new ArrayDeque<>();

  /** Those with a command under way, the one that was sent first in front. */
  private final Set<Lane> sent = new LinkedHashSet<>();

  private final Map<Id128, Failing> failing = new HashMap<>();
  private int events;
  private int retries;
  private long warnFromNanos = Long.MIN_VALUE;
  private long forgottenNanos;

  /**
   * A recorder.
   *
   * @param ledgers where commands go; null while nothing may be recorded
   */
  public UsageRecorder(
      Supplier<@Nullable LedgerClient> ledgers,
      LedgerClock clock,
      RecorderSettings settings,
      Ends ends) {
    this.ledgers = ledgers;
    this.clock = clock;
    this.settings = settings;
    this.ends = ends;
  }

  /**
   * Takes an event on, or ends it at once as held back; without ledgers every event is held back.
   *
   * @return false if there is no room now: offer it again
   */
  public boolean offer(TakenUsage taken) {
    final boolean held;
    synchronized (this) {
      final boolean full = events >= settings.events();
      held = ledgers.get() == null || isHeldUp(taken.delivery().account(), full);
      if (!held) {
        if (full) {
          return false;
        }
        take(taken);
      }
    }
    if (held) {
      ends.heldBack(List.of(taken));
    }
    return true;
  }

  /** Sends what waits, and gives back what slow accounts hold up if there is no room. */
  public void work() {
    // Answers may come while commands are sent, by this very thread: one of those who call works
    // for all.
    int calls = 1;
    if (working.getAndAdd(1) != 0) {
      return;
    }
    do {
      workOnce();
      calls = working.addAndGet(-calls);
    } while (calls != 0);
  }

  private void workOnce() {
    final @Nullable LedgerClient client = ledgers.get();
    final List<TakenUsage> heldUp = new ArrayList<>(0);
    final List<Send> sends = new ArrayList<>();
    synchronized (this) {
      final long now = clock.nowNanos();
      // They were sent in this order, so the slow ones are in front.
      for (final Lane lane : sent) {
        if (events < settings.events() || !isSlow(lane, now)) {
          break;
        }
        final List<TakenUsage> behind = lane.takeAll();
        events -= behind.size();
        heldUp.addAll(behind);
      }
      collect(client, now, sends);
    }
    if (!heldUp.isEmpty()) {
      ends.heldBack(heldUp);
    }
    sends.forEach(this::send);
  }

  private void take(TakenUsage taken) {
    final Id128 account = taken.delivery().account();
    @Nullable Lane lane = lanes.get(account);
    if (lane == null) {
      lane = new Lane(account, failing.containsKey(account));
      retries += lane.retries ? 1 : 0;
      lanes.put(account, lane);
      ready.add(lane);
    }
    lane.waiting.add(taken);
    events++;
  }

  private boolean isHeldUp(Id128 account, boolean full) {
    final long now = clock.nowNanos();
    final @Nullable Lane lane = lanes.get(account);
    if (lane != null) {
      return full && isSlow(lane, now);
    }
    final @Nullable Failing before =
        failing.computeIfPresent(
            account, (id, was) -> new Failing(was.streak(), was.notBeforeNanos(), now));
    return before != null && (mustWait(before, now) || retries >= settings.retriesUnderWay());
  }

  /** A pause longer than the longest is none: the clock was put back. */
  private boolean mustWait(Failing before, long now) {
    final long leftNanos = before.notBeforeNanos() - now;
    return leftNanos > 0 && leftNanos <= settings.longestBackoffNanos();
  }

  private int slow(long now) {
    int slow = 0;
    for (final Lane lane : sent) {
      if (!isSlow(lane, now)) {
        break;
      }
      slow++;
    }
    return slow;
  }

  private boolean isSlow(Lane lane, long now) {
    return sent.contains(lane) && now - lane.sentNanos > settings.slowNanos();
  }

  private void collect(@Nullable LedgerClient client, long now, List<Send> sends) {
    // Slow commands leave their places to others, up to as many again.
    final int places = settings.underWay() + Math.min(slow(now), settings.underWay());
    while (client != null && sent.size() < places && !ready.isEmpty()) {
      final Lane lane = ready.remove();
      lane.sentNanos = now;
      sent.add(lane);
      sends.add(new Send(client, lane, lane.next()));
    }
  }

  private void send(Send send) {
    final LedgerCommand command =
        new LedgerCommand.RecordUsage(
            send.batch().stream().map(taken -> taken.delivery().event()).toList());
    final var unused =
        submit(
                send.client(),
                new LedgerRequest(
                    send.lane().account,
                    ACTOR,
                    Math.addExact(clock.nowNanos(), settings.notAfterNanos()),
                    command))
            .whenComplete(
                (answer, failure) -> answered(send.lane(), send.batch(), answer, failure));
  }

  private static CompletionStage<LedgerAnswer> submit(LedgerClient client, LedgerRequest request) {
    try {
      return client.submit(request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void answered(
      Lane lane,
      List<TakenUsage> batch,
      @Nullable LedgerAnswer answer,
      @Nullable Throwable failure) {
    if (answer == null) {
      failed(lane, batch, LedgerCallException.codeOf(failure).name());
    } else if (answer.outcome() instanceof Outcome.UsageRecorded recorded
        && recorded.verdicts().size() == batch.size()) {
      synchronized (this) {
        failing.remove(lane.account);
        events -= batch.size();
        goOn(lane);
      }
      ends.classified(batch, recorded.verdicts());
    } else if (answer.outcome() instanceof Outcome.Refused refused) {
      refused(lane, batch, refused.reason());
    } else {
      failed(lane, batch, LedgerCode.UNKNOWN.name());
    }
    work();
  }

  private void refused(Lane lane, List<TakenUsage> batch, Refusal reason) {
    if (reason == Refusal.EXPIRED || reason == Refusal.UNKNOWN_ACCOUNT) {
      failed(lane, batch, reason.name());
      return;
    }
    synchronized (this) {
      if (batch.size() > 1) {
        final int half = batch.size() / 2;
        lane.parts.addFirst(batch.subList(half, batch.size()));
        lane.parts.addFirst(batch.subList(0, half));
      } else {
        events--;
      }
      goOn(lane);
    }
    if (batch.size() == 1) {
      LOG.error(
          "account {}: usage event {}/{} cannot be recorded: {}; it is kept and tried again",
          lane.account,
          batch.get(0).delivery().event().requestId(),
          batch.get(0).delivery().event().part(),
          reason);
      ends.failed(reason.name());
      ends.heldBack(batch);
    }
  }

  /** A command has ended; the account's next turn comes after those who wait. */
  private void goOn(Lane lane) {
    sent.remove(lane);
    if (lane.isEmpty()) {
      leave(lane);
    } else {
      ready.add(lane);
    }
  }

  private void leave(Lane lane) {
    lanes.remove(lane.account);
    retries -= lane.retries ? 1 : 0;
  }

  private void failed(Lane lane, List<TakenUsage> batch, String code) {
    final List<TakenUsage> all = new ArrayList<>(batch);
    final int streak;
    final boolean warns;
    synchronized (this) {
      all.addAll(lane.takeAll());
      events -= all.size();
      goOn(lane);
      final long now = clock.nowNanos();
      // Not for each of many that fail together.
      if (now < forgottenNanos || now - forgottenNanos >= settings.longestBackoffNanos()) {
        forget(now);
      }
      final @Nullable Failing before = failing.get(lane.account);
      streak = before == null ? 1 : before.streak() + 1;
      failing.put(lane.account, new Failing(streak, now + pauseNanos(streak), now));
      warns = streak >= STUCK_AFTER && Integer.bitCount(streak) == 1 && now >= warnFromNanos;
      if (warns) {
        warnFromNanos = now + WARN_AT_MOST_EVERY_NANOS;
      }
    }
    ends.failed(code);
    ends.heldBack(all);
    if (warns) {
      LOG.warn(
          "usage of {} accounts cannot be recorded for now and is kept; one of them, {}, has failed"
              + " {} times in a row, the last time with {}",
          stuck(),
          lane.account,
          streak,
          code);
    }
  }

  private long pauseNanos(int streak) {
    final int doublings =
        Math.min(streak - 1, Long.numberOfLeadingZeros(settings.firstBackoffNanos()) - 2);
    return Math.min(settings.firstBackoffNanos() << doublings, settings.longestBackoffNanos());
  }

  /** Events that are with it. */
  public synchronized int events() {
    return events;
  }

  /** Accounts that failed often enough to deserve a person's attention, and still have usage. */
  public synchronized int stuck() {
    forget(clock.nowNanos());
    return (int) failing.values().stream().filter(one -> one.streak() >= STUCK_AFTER).count();
  }

  /** Forgets accounts of which there has been no usage for longer than a command may take. */
  private void forget(long now) {
    forgottenNanos = now;
    final long horizonNanos =
        now - UNANSWERED_TIMES * settings.notAfterNanos() - 2 * settings.longestBackoffNanos();
    failing
        .entrySet()
        .removeIf(
            entry ->
                entry.getValue().seenNanos() < horizonNanos && !lanes.containsKey(entry.getKey()));
  }
}
