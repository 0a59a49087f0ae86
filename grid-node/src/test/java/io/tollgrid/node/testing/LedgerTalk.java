package io.tollgrid.node.testing;

import io.tollgrid.grid.LedgerClient;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import java.time.Duration;
import java.util.UUID;

/** A conversation with ledgers in single sentences that wait for their answer. */
public final class LedgerTalk {
  private static final int MAX_TRIES = 5;
  private static final long TTL_NANOS = Duration.ofMinutes(1).toNanos();

  private final LedgerClient client;

  /** Talks through a client. */
  public LedgerTalk(LedgerClient client) {
    this.client = client;
  }

  /** A fresh id. */
  public static Id128 id() {
    return Id128.of(UUID.randomUUID());
  }

  /** Creates an account with some top-up. */
  public Id128 account(long units) {
    final Id128 account = id();
    done(
        account,
        new LedgerCommand.Create(
            id(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT));
    done(account, new LedgerCommand.Deposit(id(), units));
    return account;
  }

  /** Takes a lease of at most so many units. */
  public Outcome.Granted acquire(Id128 account, long units) {
    return (Outcome.Granted)
        done(
            account,
            new LedgerCommand.Acquire(id(), id(), GrantPolicy.of(units, units), TTL_NANOS, 0));
  }

  /** Gives a whole lease back. */
  public Outcome release(Id128 account, Outcome.Granted lease) {
    return ask(
        account, new LedgerCommand.Release(lease.leaseId(), lease.fence(), 1, lease.units()));
  }

  /** The definite answer to a command. */
  public Outcome ask(Id128 account, LedgerCommand command) {
    return client.submit(account, command).toCompletableFuture().join().outcome();
  }

  /**
   * As {@link #ask}, of a command that nothing speaks against; one that came too late is repeated.
   */
  private Outcome done(Id128 account, LedgerCommand command) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      final Outcome outcome = ask(account, command);
      if (outcome instanceof Outcome.Applied) {
        return outcome;
      }
      if (!outcome.equals(new Outcome.Refused(Refusal.EXPIRED, null))) {
        throw new AssertionError(command + " was answered with " + outcome);
      }
    }
    throw new AssertionError(command + " expired " + MAX_TRIES + " times");
  }
}
