package io.tollgrid.verification.faults.check;

import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.verification.faults.history.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Tells stale answers by real time: an answer that was asked for after version {@code v} was known
 * cannot rest on an older one.
 *
 * <p>A version is known from the moment some client got an answer that rests on it, or from its
 * commit in PostgreSQL plus the time a commit may take to be seen. All clocks are the one
 * machine's.
 */
final class OrderCheck {
  private final Findings findings;
  private final long visibleWithinNanos;

  OrderCheck(Findings findings, long visibleWithinNanos) {
    this.findings = findings;
    this.visibleWithinNanos = visibleWithinNanos;
  }

  void check(AccountEvidence evidence) {
    final NavigableMap<Long, Long> known = knownVersions(evidence);
    for (final Operation operation : evidence.operations()) {
      final Operation.Answered answer = operation.answered();
      if (answer == null || !isChecked(answer)) {
        continue;
      }
      final var before = known.lowerEntry(operation.submittedAtNanos());
      if (before != null && before.getValue() > answer.version()) {
        findings.add(
            Violation.Kind.STALE_ANSWER,
            operation.request().command(),
            "version "
                + before.getValue()
                + " or newer, known "
                + (operation.submittedAtNanos() - before.getKey())
                + " ns before the command was sent",
            answer.outcome() + " at version " + answer.version() + " as told to " + operation);
      }
    }
  }

  private NavigableMap<Long, Long> knownVersions(AccountEvidence evidence) {
    record Known(long atNanos, long version) {}
    final List<Known> moments = new ArrayList<>();
    for (final Operation operation : evidence.operations()) {
      final Operation.Answered answer = operation.answered();
      if (answer != null && isChecked(answer)) {
        moments.add(new Known(answer.atNanos(), answer.version()));
      }
    }
    for (final JournalRow row : evidence.journal()) {
      if (row.committedAtNanos() < Long.MAX_VALUE - visibleWithinNanos) {
        moments.add(new Known(row.committedAtNanos() + visibleWithinNanos, row.version()));
      }
    }
    moments.sort(Comparator.comparingLong(Known::atNanos));
    final NavigableMap<Long, Long> newest = new TreeMap<>();
    long version = 0;
    for (final Known moment : moments) {
      version = Math.max(version, moment.version());
      newest.put(moment.atNanos(), version);
    }
    return newest;
  }

  /**
   * Whether the answer tells a version that the store confirmed: a missing authentication is told
   * without the store, and a classification by way of the inbox without a version.
   */
  private static boolean isChecked(Operation.Answered answer) {
    return !(answer.outcome() instanceof Outcome.Refused refused
            && refused.reason() == Refusal.UNAUTHENTICATED)
        && !(answer.outcome() instanceof Outcome.UsageRecorded && answer.version() == 0);
  }
}
