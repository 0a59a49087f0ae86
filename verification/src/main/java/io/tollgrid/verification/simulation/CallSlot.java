package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.RowKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One client's outstanding command on one account, with every message about this account that is
 * still in the network: the loop of architecture §3.5.
 *
 * <p>A code raised by the owner's own loader or store is definite and only says to try again; a
 * refusal ends the call unless an earlier attempt is unknown, in which case it ends it only if it
 * says that no attempt will ever act (R3).
 *
 * <p><em>Duplicates.</em> The network may deliver a request any number of times, in any order, but
 * never behind its client's back: a duplicate counts as an attempt of unknown outcome. That is what
 * the grid guarantees by not retrying what may have been executed. Without it a consolidation could
 * be executed after its refusal, when its units are being spent again; see {@link
 * Defects#silentDuplicates}.
 */
final class CallSlot {
  private static final long FIRST_BACKOFF_NANOS = 2 * Scale.MILLI;
  private static final int MAX_BACKOFF_DOUBLINGS = 8;

  private final Fleet fleet;
  private final int lane;
  private final int account;
  private final List<Request> requests = new ArrayList<>();
  private final List<Reply> replies = new ArrayList<>();
  private @Nullable LedgerCall call;
  private boolean listedAsBusy;

  CallSlot(Fleet fleet, int lane, int account) {
    this.fleet = fleet;
    this.lane = lane;
    this.account = account;
  }

  int lane() {
    return lane;
  }

  int account() {
    return account;
  }

  @Nullable LedgerCall call() {
    return call;
  }

  /** Whether there is neither a command nor a message; takes the slot off the busy list if so. */
  boolean isEmpty() {
    final boolean empty = call == null && requests.isEmpty() && replies.isEmpty();
    listedAsBusy = listedAsBusy && !empty;
    return empty;
  }

  boolean idle() {
    return call == null;
  }

  int requests() {
    return requests.size();
  }

  int replies() {
    return replies.size();
  }

  /** Whether an attempt is out and its end is awaited. */
  boolean inFlight() {
    return call != null && !call.waiting;
  }

  /** Whether an attempt is out and nothing of it is in the network. */
  boolean silent() {
    return inFlight() && requests.isEmpty() && replies.isEmpty();
  }

  /** Whether the client would try again by now, having backed off longer each time. */
  boolean retryDue() {
    return call != null
        && call.waiting
        && fleet.clientClock(lane)
            >= call.sentAtNanos
                + (FIRST_BACKOFF_NANOS << Math.min(call.attempt, MAX_BACKOFF_DOUBLINGS));
  }

  boolean waiting() {
    return call != null && call.waiting;
  }

  // The client

  /** Begins a command with the usual deadline; the slot must be idle. */
  LedgerRequest submit(LedgerCommand command, LedgerCall.Caller caller) {
    final LedgerRequest request =
        new LedgerRequest(
            Ids.account(account),
            Lanes.name(lane),
            fleet.clientClock(lane) + Scale.NOT_AFTER_NANOS,
            command);
    begin(new LedgerCall(this, request, caller));
    return request;
  }

  /** Asks again for a command whose outcome is unknown. */
  void resume(LedgerRequest request, LedgerCall.Caller caller) {
    final LedgerCall again = new LedgerCall(this, request, caller);
    again.unknownSeen = true;
    begin(again);
  }

  private void begin(LedgerCall next) {
    if (call != null) {
      throw new IllegalStateException("one outstanding command per account and client");
    }
    call = next;
    list();
    send(next);
  }

  private void list() {
    if (!listedAsBusy) {
      listedAsBusy = true;
      fleet.busySlots().add(this);
    }
  }

  boolean retry() {
    final LedgerCall current = call;
    if (current == null || !current.waiting) {
      return false;
    }
    if (!current.wanted.isEmpty()) {
      current.request = current.request.withRows(fleet.store().fetch(account, current.wanted));
      current.wanted = Set.of();
    }
    send(current);
    return true;
  }

  /** The attempt's connection broke, or its answer took too long. */
  boolean timeOut() {
    final LedgerCall current = call;
    if (current == null || current.waiting) {
      return false;
    }
    fleet.coverage().struck(FaultKind.TIMED_OUT, current.kind);
    unknown(current);
    return true;
  }

  /** The client gives up once its own clock has passed the deadline by a second. */
  boolean giveUp() {
    final LedgerCall current = call;
    if (current == null
        || fleet.clientClock(lane) < current.request.notAfterNanos() + Scale.SECOND) {
      return false;
    }
    final boolean mayHaveHappened = current.unknownSeen || !current.waiting;
    finish();
    if (!mayHaveHappened) {
      fleet.commands().toldRefused(current.request, Refusal.EXPIRED);
    }
    fleet.note(() -> "gives up on " + current.kind + (mayHaveHappened ? ", outcome unknown" : ""));
    current.caller.gaveUp(mayHaveHappened);
    return true;
  }

  /** The client's process died: nobody awaits the command any more. */
  void abandon() {
    if (call != null) {
      fleet.coverage().struck(FaultKind.CLIENT_CRASHED, call.kind);
      finish();
    }
  }

  // The network

  @Nullable Request takeRequest(int copy) {
    if (requests.isEmpty()) {
      return null;
    }
    final Request request = requests.remove(Math.min(copy, requests.size() - 1));
    final LedgerCall of = request.call();
    if (request.attempt() < of.overtaken) {
      fleet.coverage().struck(FaultKind.REQUEST_OVERTAKEN, of.kind);
    }
    of.overtaken = Math.max(of.overtaken, request.attempt());
    return request;
  }

  /** An owner that lost its partition before it executed a request sends it on. */
  void redirect(Request request) {
    list();
    requests.add(request);
  }

  boolean duplicate(int copy) {
    if (requests.isEmpty()) {
      return false;
    }
    final Request request = requests.get(Math.min(copy, requests.size() - 1));
    requests.add(request);
    fleet.coverage().struck(FaultKind.REQUEST_DUPLICATED, request.call().kind);
    if (!fleet.defects().silentDuplicates()) {
      request.call().unknownSeen = true;
    }
    return true;
  }

  boolean loseRequest(int copy) {
    if (requests.isEmpty()) {
      return false;
    }
    final Request lost = requests.remove(Math.min(copy, requests.size() - 1));
    fleet.coverage().struck(FaultKind.REQUEST_LOST, lost.call().kind);
    return true;
  }

  void reply(Request to, Answer answer) {
    list();
    replies.add(new Reply(to.call(), to.attempt(), answer));
  }

  boolean loseAnswer(int copy) {
    if (replies.isEmpty()) {
      return false;
    }
    final Reply lost = replies.remove(Math.min(copy, replies.size() - 1));
    fleet.coverage().struck(FaultKind.ANSWER_LOST, lost.call().kind);
    return true;
  }

  boolean deliverAnswer(int copy) {
    if (replies.isEmpty()) {
      return false;
    }
    final Reply reply = replies.remove(Math.min(copy, replies.size() - 1));
    final LedgerCall current = call;
    if (current == null
        || current != reply.call()
        || current.waiting
        || current.attempt != reply.attempt()) {
      fleet.note(() -> "an answer comes too late: " + reply.answer());
      return true; // the attempt it belongs to was given up
    }
    fleet.note(() -> current.kind + " is answered " + reply.answer());
    receive(current, reply.answer());
    return true;
  }

  // The loop

  private void send(LedgerCall current) {
    current.attempt++;
    current.sentAtNanos = fleet.clientClock(lane);
    current.waiting = false;
    requests.add(new Request(current, current.attempt, current.request, current.evictNext));
    current.evictNext = false;
  }

  private void receive(LedgerCall current, Answer answer) {
    if (answer instanceof Answer.Unknown) {
      unknown(current);
    } else if (answer instanceof Answer.Coded coded) {
      coded(current, coded.code());
    } else {
      decided(current, (Answer.Decided) answer);
    }
  }

  private void decided(LedgerCall current, Answer.Decided answer) {
    final Outcome outcome = answer.outcome();
    if (outcome instanceof Outcome.Refused refused) {
      refused(current, refused, isFinalAfterUnknown(current, refused.reason(), answer));
    } else if (outcome instanceof Outcome.NeedsRows needs) {
      want(current, needs.keys());
    } else {
      applied(current, outcome, answer.receipt());
    }
  }

  private void applied(LedgerCall current, Outcome outcome, boolean receipt) {
    if (current.unknownSeen) {
      fleet.coverage().saw(receipt ? Scenario.UNKNOWN_THEN_RECEIPT : Scenario.UNKNOWN_THEN_APPLIED);
    }
    fleet.commands().toldApplied(current.request.account(), current.command, outcome);
    finish();
    current.caller.answered(outcome);
  }

  private void refused(LedgerCall current, Outcome.Refused refused, boolean finalAfterUnknown) {
    if (current.unknownSeen && !finalAfterUnknown) {
      fleet.coverage().saw(Scenario.UNKNOWN_THEN_REFUSED);
      current.waiting = true;
      return;
    }
    if (current.unknownSeen && refused.reason() == Refusal.EXPIRED) {
      fleet.coverage().saw(Scenario.UNKNOWN_THEN_EXPIRED);
    }
    fleet.commands().toldRefused(current.request, refused.reason());
    finish();
    current.caller.answered(refused);
  }

  /**
   * Whether a refusal that follows an unknown attempt says that no attempt will ever act.
   *
   * <p>An expired one does once it is expired for every owner and for the store: the store drops a
   * write whose deadline lies more than the skew behind its clock, and ledger time is at most the
   * skew ahead of that clock.
   */
  private static boolean isFinalAfterUnknown(
      LedgerCall current, Refusal reason, Answer.Decided answer) {
    return switch (reason) {
      case CONFLICT -> true;
      case EXPIRED -> isLongOver(current, answer.ledgerTimeNanos());
      default -> current.kind == CommandKind.RECLAIM || current.kind == CommandKind.CROSS;
    };
  }

  private static boolean isLongOver(LedgerCall current, long nanos) {
    return nanos - current.request.notAfterNanos() > 2 * Scale.MAX_SKEW_NANOS;
  }

  private void coded(LedgerCall current, LedgerCode code) {
    switch (code) {
      case STALE, FENCED, CLOCK_AHEAD -> stale(current);
      case REPLAY -> want(current, Ledger.ownRows(current.command));
      case NO_FENCE, UNAVAILABLE, TOO_LATE -> current.waiting = true;
      // The code carries no ledger time. When the attempt was sent is known, though, and this
      // client's clock is at most the skew ahead of the store's.
      case UNKNOWN_ACCOUNT ->
          refused(
              current,
              new Outcome.Refused(Refusal.UNKNOWN_ACCOUNT, null),
              isLongOver(current, current.sentAtNanos));
      case CORRUPT, AUTHORITY_REGRESSED, UNKNOWN ->
          throw new Violation(
              "3.5", "a store that loses nothing never answers so", code.toString());
    }
  }

  private void want(LedgerCall current, Set<RowKey> keys) {
    final Set<RowKey> wanted = new HashSet<>(keys);
    wanted.addAll(current.request.rows().keySet());
    current.wanted = wanted;
    current.waiting = true;
  }

  private void stale(LedgerCall current) {
    current.request = current.request.withRows(Map.of());
    current.evictNext = true;
    current.waiting = true;
  }

  private void unknown(LedgerCall current) {
    current.unknownSeen = true;
    current.evictNext = true;
    current.waiting = true;
    if (fleet.defects().unknownTreatedAsFailed()) {
      refused(current, new Outcome.Refused(Refusal.EXPIRED, null), true);
      return;
    }
    current.caller.attemptUnknown();
  }

  private void finish() {
    call = null;
  }

  /** Drops the current call without an answer: what a planted bug does. */
  void forget() {
    if (call != null) {
      finish();
    }
  }
}
