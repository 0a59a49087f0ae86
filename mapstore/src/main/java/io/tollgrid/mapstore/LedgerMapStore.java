package io.tollgrid.mapstore;

import com.hazelcast.map.MapStore;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.port.HeldFences;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.mapstore.commit.CommitOutcome;
import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.mapstore.commit.GroupCommitter;
import io.tollgrid.mapstore.load.LedgerLoader;
import io.tollgrid.mapstore.load.LoadOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What makes the grid's map of ledgers write through: a value reaches memory only after PostgreSQL
 * has it.
 *
 * <p>The grid calls it off its partition threads and keeps an entry unchanged when a store throws.
 * A {@link LedgerCodeException} means that nothing of the attempt was written; any other exception
 * means that nobody knows, and the fence it was written under is given up, so that no memory read
 * under it can match again.
 *
 * <p>Thread-safe. Calls wait uninterruptibly and return with the thread's interrupt flag clear.
 */
public final class LedgerMapStore implements MapStore<String, LedgerEntry> {
  private final GroupCommitter committer;
  private final LedgerLoader loader;
  private final HeldFences fences;
  private final ToIntFunction<String> partitionOf;
  private final Defects defects;

  /**
   * A store over a started committer and loader.
   *
   * @param partitionOf the ledger partition of a key
   */
  public LedgerMapStore(
      GroupCommitter committer,
      LedgerLoader loader,
      HeldFences fences,
      ToIntFunction<String> partitionOf) {
    this(committer, loader, fences, partitionOf, Defects.NONE);
  }

  /** A store with planted bugs, for the harnesses that must notice them. */
  public LedgerMapStore(
      GroupCommitter committer,
      LedgerLoader loader,
      HeldFences fences,
      ToIntFunction<String> partitionOf,
      Defects defects) {
    this.committer = committer;
    this.loader = loader;
    this.fences = fences;
    this.partitionOf = partitionOf;
    this.defects = defects;
  }

  /**
   * Writes what was decided, or confirms a check, and returns once the answers may leave the owner.
   *
   * @throws LedgerCodeException if nothing was written; {@link LedgerCode#UNKNOWN_ACCOUNT} if the
   *     check that there is no such account holds, so that memory stays empty
   * @throws StoreOutcomeUnknownException if the transition may or may not be durable
   * @throws IllegalArgumentException if the value does not come from a command
   */
  @Override
  public void store(String key, LedgerEntry entry) {
    final Id128 account = Id128.parse(key);
    final int partition = partitionOf.applyAsInt(key);
    final List<Transition> chain = chain(account, partition, entry);
    final CommitOutcome outcome;
    try {
      outcome = committer.commit(chain);
    } catch (RuntimeException | Error e) {
      fences.drop(partition, entry.ownershipFence());
      throw e;
    }
    if (outcome instanceof CommitOutcome.Judged judged) {
      judged(account, partition, entry, judged.verdict());
    } else if (outcome instanceof CommitOutcome.Failed failed) {
      throw new LedgerCodeException(
          failed.code(), "account " + account + ": " + failed.reason(), failed.cause());
    } else {
      unknown(account, partition, entry, ((CommitOutcome.Unknown) outcome).cause());
    }
  }

  /**
   * Reads one ledger under the fence held now.
   *
   * @return null if there is no such account
   * @throws LedgerCodeException {@link LedgerCode#NO_FENCE} if no fence is held (one is asked for),
   *     {@link LedgerCode#CORRUPT} if the account contradicts itself, {@link
   *     LedgerCode#UNAVAILABLE} if PostgreSQL does not answer
   */
  @Override
  public @Nullable LedgerEntry load(String key) {
    final long fence = requireFence(key);
    final LoadOutcome outcome = loader.load(Id128.parse(key));
    if (outcome instanceof LoadOutcome.Found found) {
      return LedgerEntry.loaded(found.ledger(), fence);
    }
    if (outcome instanceof LoadOutcome.Failed failed) {
      throw new LedgerCodeException(failed.code(), failed.reason(), failed.cause());
    }
    return null;
  }

  /**
   * Reads several ledgers, each under the fence held now. An account that is corrupt is left out:
   * whoever asks for it alone is told.
   *
   * @throws LedgerCodeException as {@link #load}, except for {@link LedgerCode#CORRUPT}
   */
  @Override
  public Map<String, LedgerEntry> loadAll(Collection<String> keys) {
    final Map<String, Long> held = new HashMap<>();
    final List<Id128> accounts = new ArrayList<>();
    for (final String key : keys) {
      held.put(key, requireFence(key));
      accounts.add(Id128.parse(key));
    }
    final Map<String, LedgerEntry> entries = new HashMap<>();
    loader
        .loadAll(accounts)
        .forEach(
            (account, outcome) -> {
              final String key = account.toHex();
              if (outcome instanceof LoadOutcome.Found found) {
                entries.put(key, LedgerEntry.loaded(found.ledger(), held.getOrDefault(key, 0L)));
              } else if (outcome instanceof LoadOutcome.Failed failed
                  && failed.code() != LedgerCode.CORRUPT) {
                throw new LedgerCodeException(failed.code(), failed.reason(), failed.cause());
              }
            });
    return entries;
  }

  /** Null: nothing is loaded before it is asked for. */
  @Override
  public @Nullable Iterable<String> loadAllKeys() {
    return null;
  }

  /** Refused: two transitions in one call would have to stand or fall together. */
  @Override
  public void storeAll(Map<String, LedgerEntry> entries) {
    throw new UnsupportedOperationException("ledgers are stored one by one");
  }

  /** Refused: ledgers are never deleted (R17). */
  @Override
  public void delete(String key) {
    throw new UnsupportedOperationException("ledgers are never deleted");
  }

  /** Refused: ledgers are never deleted (R17). */
  @Override
  public void deleteAll(Collection<String> keys) {
    throw new UnsupportedOperationException("ledgers are never deleted");
  }

  private static List<Transition> chain(Id128 account, int partition, LedgerEntry entry) {
    final List<Transition> chain = new ArrayList<>(entry.decisions().size());
    for (final Decision decision : entry.decisions()) {
      final Effects effects = decision.effects();
      final AccountLedger next = decision.next();
      if (effects == null || !effects.request().account().equals(account)) {
        throw notByCommand(account);
      }
      if (next == null ? effects.writes() : !next.id().equals(account)) {
        throw new IllegalArgumentException("the value is not the ledger of account " + account);
      }
      chain.add(new Transition(account, partition, entry.ownershipFence(), next, effects));
    }
    if (chain.isEmpty() || !Objects.equals(chain.get(chain.size() - 1).next(), entry.ledger())) {
      throw notByCommand(account);
    }
    return chain;
  }

  private static IllegalArgumentException notByCommand(Id128 account) {
    return new IllegalArgumentException(
        "the ledger of account "
            + account
            + " changes by commands only: this value has no effects of its own");
  }

  private void judged(Id128 account, int partition, LedgerEntry entry, Verdict verdict) {
    final LedgerCode code = verdict.code();
    if (verdict == Verdict.FENCED) {
      // Nothing this fence stands for can be stored any more; whoever owns the partition draws
      // anew.
      fences.drop(partition, entry.ownershipFence());
    }
    if (code != null) {
      throw new LedgerCodeException(code, "account " + account + ": " + said(verdict));
    }
    if (entry.ledger() == null) {
      throw new LedgerCodeException(LedgerCode.UNKNOWN_ACCOUNT, "there is no account " + account);
    }
  }

  private void unknown(Id128 account, int partition, LedgerEntry entry, Throwable cause) {
    if (!defects.fenceKeptAfterUnknown()) {
      fences.drop(partition, entry.ownershipFence());
    }
    throw new StoreOutcomeUnknownException(
        "a change of account " + account + " may or may not be durable", cause);
  }

  private long requireFence(String key) {
    final int partition = partitionOf.applyAsInt(key);
    final OptionalLong held = fences.held(partition);
    if (held.isEmpty()) {
      fences.request(partition);
      throw new LedgerCodeException(
          LedgerCode.NO_FENCE, "this member holds no fence for ledger partition " + partition);
    }
    return held.getAsLong();
  }

  private static String said(Verdict verdict) {
    return switch (verdict) {
      case COMMIT, CONFIRMED -> "the answer stands";
      case FENCED -> "another member owns its partition";
      case STALE -> "PostgreSQL is ahead of the memory this was decided on";
      case REPLAY -> "a row that was to be new exists";
      case CLOCK_AHEAD -> "this member's clock is ahead of PostgreSQL's";
      case TOO_LATE -> "the request's deadline passed before it was written";
      case AUTHORITY_REGRESSED -> "PostgreSQL is behind the memory this was decided on";
    };
  }
}
