package io.tollgrid.mapstore.testing;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Decision;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.port.HeldFences;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.mapstore.LedgerMapStore;
import io.tollgrid.mapstore.commit.CommitFaults;
import io.tollgrid.mapstore.commit.CommitterSettings;
import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.mapstore.commit.GroupCommitter;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.mapstore.fence.FencesAtRest;
import io.tollgrid.mapstore.load.LedgerLoader;
import io.tollgrid.mapstore.rows.PostgresLedgerRows;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One owner of ledgers over a real store, without a grid: the map store, the committer, the loader,
 * and the loop a client runs around them.
 *
 * <p>Memory is a map of entries, replaced only after a store returned, as the grid does it. Safe
 * for use from several threads as long as no two use one account.
 */
public final class PostgresLedger implements AutoCloseable {
  private static final int MAX_ROUNDS = 8;
  private static final long DEADLINE = Duration.ofSeconds(30).toNanos();

  private final LedgerDataSources sources;
  private final GroupCommitter committer;
  private final LedgerLoader loader;
  private final LedgerMapStore store;
  private final PostgresLedgerRows rows;
  private final FencesAtRest fencesAtRest;
  private final MeterRegistry registry;
  private final LedgerLimits limits;
  private final TestFences fences = new TestFences();
  private final Map<Id128, LedgerEntry> memory = new ConcurrentHashMap<>();

  private PostgresLedger(
      LedgerDataSources sources,
      CommitterSettings settings,
      LedgerLimits limits,
      CommitFaults faults,
      Defects defects) {
    this.sources = sources;
    this.limits = limits;
    this.registry = new SimpleMeterRegistry();
    this.committer = new GroupCommitter(sources.committers(), settings, registry, faults, defects);
    this.loader = new LedgerLoader(sources.loads(), LedgerLoader.Settings.DEFAULTS, registry);
    this.store =
        new LedgerMapStore(committer, loader, fences, PostgresLedger::partitionOf, defects);
    this.rows = new PostgresLedgerRows(sources.loads());
    this.fencesAtRest = new FencesAtRest(sources.raises());
    committer.start();
    loader.start();
  }

  /** An owner that holds no fence yet. */
  public static PostgresLedger over(TestPostgres database) {
    return over(database, CommitterSettings.DEFAULTS, CommitFaults.NONE, Defects.NONE);
  }

  /** An owner with these settings, faults and planted bugs. */
  public static PostgresLedger over(
      TestPostgres database, CommitterSettings settings, CommitFaults faults, Defects defects) {
    return over(database.address(), settings, faults, defects);
  }

  /** An owner that reaches its database at {@code address}. */
  public static PostgresLedger over(
      PostgresAddress address, CommitterSettings settings, CommitFaults faults, Defects defects) {
    return new PostgresLedger(
        LedgerDataSources.open(address, LedgerDataSources.Sizes.DEFAULTS, settings.session()),
        settings,
        LedgerLimits.DEFAULTS,
        faults,
        defects);
  }

  /** The partition of an account in these tests. */
  public static int partitionOf(String key) {
    return Math.floorMod(key.hashCode(), TestPostgres.PARTITIONS);
  }

  /** Fences held by this owner. Dropped is dropped; nothing draws in the background. */
  private static final class TestFences implements HeldFences {
    private final Map<Integer, Long> held = new ConcurrentHashMap<>();

    @Override
    public OptionalLong held(int partition) {
      final Long fence = held.get(partition);
      return fence == null ? OptionalLong.empty() : OptionalLong.of(fence);
    }

    @Override
    public void request(int partition) {}

    @Override
    public void drop(int partition, long fence) {
      held.remove(partition, fence);
    }
  }

  /** Runs a command to its end at {@code clockNanos}, as a client would. */
  public Outcome submit(Id128 account, LedgerCommand command, long clockNanos) {
    return submit(new LedgerRequest(account, "test", clockNanos + DEADLINE, command), clockNanos);
  }

  /** Runs a request to its end, resolving what a client resolves; other failures are thrown. */
  public Outcome submit(LedgerRequest first, long clockNanos) {
    LedgerRequest request = first;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      try {
        final Outcome outcome = process(request, clockNanos);
        if (outcome instanceof Outcome.NeedsRows needs) {
          request = attached(request, needs.keys());
        } else if (outcome instanceof Outcome.Outdated) {
          request = afresh(request);
        } else {
          return outcome;
        }
      } catch (LedgerCodeException e) {
        if (e.code() == LedgerCode.REPLAY) {
          request = attached(request, Ledger.ownRows(request.command()));
        } else if (e.code() == LedgerCode.STALE) {
          request = afresh(request);
        } else {
          throw e;
        }
      }
    }
    throw new IllegalStateException("no answer to " + first + " after " + MAX_ROUNDS + " rounds");
  }

  /** One attempt: what the grid's processor and map store do for one delivery of a request. */
  public Outcome process(LedgerRequest request, long clockNanos) {
    return process(List.of(request), clockNanos).get(0);
  }

  /** One attempt of a chain of lease commands; answers as far as it got. */
  public List<Outcome> process(List<LedgerRequest> chain, long clockNanos) {
    final Id128 account = chain.get(0).account();
    LedgerEntry entry = memory.get(account);
    if (entry == null) {
      entry = store.load(account.toHex());
    }
    AccountLedger ledger = entry == null ? null : entry.ledger();
    final List<Outcome> outcomes = new ArrayList<>();
    final List<Decision> decisions = new ArrayList<>();
    for (final LedgerRequest request : chain) {
      final Decision decision = Ledger.apply(ledger, request, clockNanos, limits);
      outcomes.add(decision.outcome());
      if (decision.effects() == null) {
        break;
      }
      decisions.add(decision);
      ledger = decision.next();
    }
    if (!decisions.isEmpty()) {
      store(account, ledger, entry == null ? held(account) : entry.ownershipFence(), decisions);
    }
    return outcomes;
  }

  private void store(
      Id128 account, @Nullable AccountLedger ledger, long fence, List<Decision> decisions) {
    try {
      store.store(account.toHex(), new LedgerEntry(ledger, fence, null, decisions));
    } catch (LedgerCodeException e) {
      if (e.code() == LedgerCode.UNKNOWN_ACCOUNT) {
        return;
      }
      throw e;
    }
    memory.put(account, LedgerEntry.loaded(ledger, fence));
  }

  /** The value a processor would set for a transition. */
  public static LedgerEntry entry(Transition transition) {
    final Effects effects = transition.effects();
    return new LedgerEntry(
        transition.next(),
        transition.ownershipFence(),
        null,
        List.of(new Decision(effects.outcome(), transition.next(), effects, 0)));
  }

  /** The transition a request would become, without storing it. */
  public Transition transition(LedgerRequest request, long clockNanos) {
    return chain(List.of(request), clockNanos).get(0);
  }

  /** The transitions a chain of commands would become, without storing them. */
  public List<Transition> chain(Id128 account, long clockNanos, LedgerCommand... commands) {
    return chain(
        Arrays.stream(commands)
            .map(command -> new LedgerRequest(account, "test", clockNanos + DEADLINE, command))
            .toList(),
        clockNanos);
  }

  private List<Transition> chain(List<LedgerRequest> requests, long clockNanos) {
    final Id128 account = requests.get(0).account();
    final LedgerEntry entry = memory.get(account);
    final long fence = entry == null ? held(account) : entry.ownershipFence();
    AccountLedger ledger = entry == null ? null : entry.ledger();
    final List<Transition> chain = new ArrayList<>();
    for (final LedgerRequest request : requests) {
      final Decision decision = Ledger.apply(ledger, request, clockNanos, limits);
      if (decision.effects() == null) {
        throw new IllegalStateException("no final answer: " + decision.outcome());
      }
      ledger = decision.next();
      chain.add(
          new Transition(account, partitionOf(account.toHex()), fence, ledger, decision.effects()));
    }
    return chain;
  }

  /** As {@link #transition(LedgerRequest, long)}, with the usual actor and deadline. */
  public Transition transition(Id128 account, LedgerCommand command, long clockNanos) {
    return transition(
        new LedgerRequest(account, "test", clockNanos + DEADLINE, command), clockNanos);
  }

  /** Puts the next fence of every partition in force and holds it; memory starts empty. */
  public void takeOver() throws SQLException {
    final Set<Integer> all = new HashSet<>();
    for (int partition = 0; partition < TestPostgres.PARTITIONS; partition++) {
      all.add(partition);
    }
    fences.held.clear();
    fences.held.putAll(fencesAtRest.issue(all));
    memory.clear();
  }

  /** The ledger in memory, loaded if it is not there; null if there is no such account. */
  public @Nullable AccountLedger ledger(Id128 account) {
    LedgerEntry entry = memory.get(account);
    if (entry == null) {
      entry = store.load(account.toHex());
      if (entry != null) {
        memory.put(account, entry);
      }
    }
    return entry == null ? null : entry.ledger();
  }

  /** Evicts a ledger. */
  public void forget(Id128 account) {
    memory.remove(account);
  }

  /** The fence held for an account's partition. */
  public long held(Id128 account) {
    return fences
        .held(partitionOf(account.toHex()))
        .orElseThrow(() -> new IllegalStateException("no fence held for " + account));
  }

  /** Whether a fence is held for an account's partition. */
  public boolean holds(Id128 account) {
    return fences.held(partitionOf(account.toHex())).isPresent();
  }

  /** The map store. */
  public LedgerMapStore store() {
    return store;
  }

  /** The committer. */
  public GroupCommitter committer() {
    return committer;
  }

  /** The rows. */
  public PostgresLedgerRows rows() {
    return rows;
  }

  /** The fences at rest. */
  public FencesAtRest fencesAtRest() {
    return fencesAtRest;
  }

  /** The pools. */
  public LedgerDataSources sources() {
    return sources;
  }

  /** What was counted. */
  public MeterRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    committer.close();
    loader.close();
    sources.close();
  }

  private LedgerRequest attached(LedgerRequest request, Collection<RowKey> keys) {
    final Map<RowKey, Optional<StoredRow>> fetched = new HashMap<>(request.rows());
    fetched.putAll(rows.fetch(request.account(), Set.copyOf(keys)));
    return request.withRows(fetched);
  }

  private LedgerRequest afresh(LedgerRequest request) {
    forget(request.account());
    return request.withRows(Map.of());
  }
}
