package io.tollgrid.verification.simulation;

import io.tollgrid.ledger.UsageVerdict;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which answers each command can get, so that the coverage table can be asserted cell by cell.
 *
 * <p>Left out, for every command: {@code UNAUTHENTICATED} (decided before the ledger is asked),
 * {@code CORRUPT} and {@code AUTHORITY_REGRESSED} (need a store that lost or altered what it had
 * committed; the simulated one does not).
 */
final class Reachable {
  /** What the way to the ledger and back can do to any command. */
  private static final Set<AnswerKind> ANY =
      EnumSet.of(
          AnswerKind.APPLIED,
          AnswerKind.EXPIRED,
          AnswerKind.UNKNOWN_ACCOUNT,
          AnswerKind.STALE,
          AnswerKind.NO_FENCE,
          AnswerKind.FENCED,
          AnswerKind.CLOCK_AHEAD,
          AnswerKind.TOO_LATE,
          AnswerKind.UNAVAILABLE,
          AnswerKind.UNKNOWN);

  /** Commands that carry an id of their own. */
  private static final Set<AnswerKind> IDENTIFIED =
      EnumSet.of(AnswerKind.RECEIPT, AnswerKind.CONFLICT, AnswerKind.REPLAY);

  private static final Set<AnswerKind> GRANT =
      EnumSet.of(
          AnswerKind.ACCOUNT_SUSPENDED,
          AnswerKind.ACCOUNT_CLOSED,
          AnswerKind.BALANCE_EXHAUSTED,
          AnswerKind.BALANCE_INSUFFICIENT,
          AnswerKind.TOO_MANY_LEASES,
          AnswerKind.TTL_TOO_LONG);

  /** Steps are answered from the lease; what they would create is not a row of its own. */
  private static final Set<AnswerKind> STEP =
      EnumSet.of(
          AnswerKind.RECEIPT,
          AnswerKind.CONFLICT,
          AnswerKind.NEEDS_ROWS,
          AnswerKind.OUTDATED,
          AnswerKind.CAPABILITY,
          AnswerKind.LEASE_ENDED,
          AnswerKind.STEP_GAP,
          AnswerKind.STEP_SUPERSEDED);

  private Reachable() {}

  /**
   * What usage can be classified as: nobody here ships usage of an account that does not exist.
   * That is kept without a ledger, which this store does not do.
   */
  static Set<UsageVerdict> verdicts() {
    return EnumSet.complementOf(EnumSet.of(UsageVerdict.UNKNOWN_ACCOUNT));
  }

  static Set<AnswerKind> answers(CommandKind command) {
    final Set<AnswerKind> answers = EnumSet.copyOf(ANY);
    switch (command) {
      case CREATE -> {
        answers.addAll(IDENTIFIED);
        answers.add(AnswerKind.ALREADY_EXISTS);
      }
      case DEPOSIT -> {
        answers.addAll(IDENTIFIED);
        answers.add(AnswerKind.ACCOUNT_CLOSED);
        answers.add(AnswerKind.BALANCE_OVERFLOW);
      }
      case CREDIT -> {
        answers.addAll(IDENTIFIED);
        answers.add(AnswerKind.NEEDS_ROWS);
        answers.add(AnswerKind.NOT_BILLED);
        answers.add(AnswerKind.BEYOND_BILLED);
        answers.add(AnswerKind.BALANCE_OVERFLOW);
      }
      case SET_SCHEDULE -> {
        answers.addAll(IDENTIFIED);
        answers.add(AnswerKind.ACCOUNT_CLOSED);
        answers.add(AnswerKind.NO_SCHEDULE);
        answers.add(AnswerKind.BALANCE_OVERFLOW);
      }
      case SET_STATUS, SET_CLASS, SET_TERMS -> {
        answers.addAll(IDENTIFIED);
        answers.add(AnswerKind.ACCOUNT_CLOSED);
      }
      case ACQUIRE -> {
        answers.addAll(IDENTIFIED);
        answers.addAll(GRANT);
      }
      case CONSOLIDATE -> {
        answers.addAll(IDENTIFIED);
        answers.addAll(GRANT);
        answers.add(AnswerKind.NEEDS_ROWS);
        answers.add(AnswerKind.OUTDATED);
        answers.add(AnswerKind.CAPABILITY);
        answers.add(AnswerKind.LEASE_ENDED);
        answers.add(AnswerKind.BEYOND_LEASE);
      }
      case RETURN, RELEASE -> {
        answers.addAll(STEP);
        answers.add(AnswerKind.BEYOND_LEASE);
      }
      case RENEW -> {
        answers.addAll(STEP);
        answers.add(AnswerKind.ACCOUNT_CLOSED);
        answers.add(AnswerKind.TTL_TOO_LONG);
      }
      case RECORD_USAGE -> {
        answers.remove(AnswerKind.UNKNOWN_ACCOUNT);
        answers.add(AnswerKind.RECEIPT);
        answers.add(AnswerKind.REPLAY);
        answers.add(AnswerKind.NEEDS_ROWS);
        answers.add(AnswerKind.OUTDATED);
      }
      case RECLAIM -> answers.add(AnswerKind.NOTHING_DUE);
      case CROSS -> answers.add(AnswerKind.NOT_DUE);
    }
    return answers;
  }
}
