package io.tollgrid.ledger.testing;

import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Effects.UsageEntry;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.port.LedgerRows;
import io.tollgrid.ledger.store.CommitRules;
import io.tollgrid.ledger.store.StoredState;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What PostgreSQL holds, in maps: the reference that every other store is compared with.
 *
 * <p>It keeps an account's own numbers and its rows apart and rebuilds a ledger from both when
 * asked, so that a transition whose effects leave something out is found at the next load. An
 * insert of a row that exists is an error, never an update.
 */
public final class InMemoryLedgerStore implements StoredState, LedgerRows {
  private final Map<Id128, Account> accounts = new LinkedHashMap<>();
  private final Map<Integer, Long> fences = new HashMap<>();

  /** Rejected deliveries to accounts that did not exist. */
  private final Map<Id128, Map<RowKey, UsageEntry>> strangers = new LinkedHashMap<>();

  /**
   * Decides a batch and writes what may be written.
   *
   * @param clockNanos the store's clock, epoch nanoseconds
   * @return one verdict per transition, in order
   */
  public List<Verdict> commit(long clockNanos, long maxSkewNanos, List<Transition> batch) {
    final List<Verdict> verdicts = CommitRules.decide(this, clockNanos, maxSkewNanos, batch);
    for (int i = 0; i < batch.size(); i++) {
      if (verdicts.get(i) == Verdict.COMMIT) {
        write(batch.get(i));
      }
    }
    return verdicts;
  }

  /** Decides transitions of one account that stand or fall together, and writes them. */
  public Verdict commitChain(long clockNanos, long maxSkewNanos, List<Transition> chain) {
    final Verdict verdict = CommitRules.decideChain(this, clockNanos, maxSkewNanos, chain);
    if (verdict == Verdict.COMMIT) {
      chain.stream()
          .filter(each -> each.effects().writes() || each.effects().onlyKeeps())
          .forEach(this::write);
    }
    return verdict;
  }

  /** Raises the fence at rest of a partition. */
  public void raise(int partition, long fence) {
    fences.merge(partition, fence, Math::max);
  }

  @Override
  public long fence(int partition) {
    return fences.getOrDefault(partition, 0L);
  }

  @Override
  public long version(Id128 account) {
    final Account stored = accounts.get(account);
    return stored == null ? 0 : stored.head.version();
  }

  @Override
  public @Nullable StoredRow row(Id128 account, RowKey key) {
    final Account stored = accounts.get(account);
    final StoredRow own = stored == null ? null : stored.rows.get(key);
    final UsageEntry stranger = strangers.getOrDefault(account, Map.of()).get(key);
    return own == null && stranger != null ? new StoredRow.RejectedRow(stranger.verdict()) : own;
  }

  @Override
  public Map<RowKey, Optional<StoredRow>> fetch(Id128 account, Set<RowKey> keys) {
    final Map<RowKey, Optional<StoredRow>> rows = new HashMap<>();
    for (final RowKey key : keys) {
      rows.put(key, Optional.ofNullable(row(account, key)));
    }
    return rows;
  }

  /** The ledger as a load finds it: no settled leases. Empty if there is no such account. */
  public Optional<AccountLedger> load(Id128 account) {
    final Account stored = accounts.get(account);
    if (stored == null) {
      return Optional.empty();
    }
    final AccountLedger head = stored.head;
    return Optional.of(
        new AccountLedger(
            head.id(),
            head.version(),
            head.asOfNanos(),
            head.balances(),
            head.policy(),
            head.period(),
            head.nextFence(),
            stored.leases(LeaseState.ACTIVE),
            stored.leases(LeaseState.LOSS),
            List.of()));
  }

  /** Every account, in the order of creation. */
  public Set<Id128> accounts() {
    return Set.copyOf(accounts.keySet());
  }

  /** Every transition of an account that was written, oldest first. */
  public List<Effects> journal(Id128 account) {
    final Account stored = accounts.get(account);
    return stored == null ? List.of() : List.copyOf(stored.journal);
  }

  /** Accepted events of an account, oldest first. */
  public List<UsageEntry> usage(Id128 account) {
    final Account stored = accounts.get(account);
    return stored == null ? List.of() : List.copyOf(stored.usage);
  }

  /** Rejected events of an account, oldest first. */
  public List<UsageEntry> rejected(Id128 account) {
    final List<UsageEntry> all =
        new ArrayList<>(strangers.getOrDefault(account, Map.of()).values());
    final Account stored = accounts.get(account);
    if (stored != null) {
      all.addAll(stored.rejected);
    }
    return all;
  }

  /** Every lease an account ever had, by fence. */
  public List<Lease> leases(Id128 account) {
    final Account stored = accounts.get(account);
    return stored == null ? List.of() : stored.leases(LeaseState.values());
  }

  /**
   * Compares an account's books with its rows, as {@code tollgrid verify} does.
   *
   * @return one line per disagreement; empty if there is none
   */
  public List<String> verify(Id128 account) {
    final Account stored = accounts.get(account);
    return stored == null ? List.of() : stored.disagreements();
  }

  private void keep(Id128 account, Effects effects) {
    final Map<RowKey, UsageEntry> kept =
        strangers.computeIfAbsent(account, id -> new LinkedHashMap<>());
    for (final UsageEntry entry : effects.rejected()) {
      final RowKey key = new RowKey.DeliveryKey(entry.event().writer(), entry.event().sequence());
      if (kept.put(key, entry) != null) {
        throw new IllegalStateException(key + " exists already");
      }
    }
  }

  private void write(Transition transition) {
    final Effects effects = transition.effects();
    final AccountLedger next = transition.next();
    if (effects.onlyKeeps()) {
      keep(transition.account(), effects);
      return;
    }
    if (next == null) {
      throw new IllegalStateException("a write without a ledger");
    }
    if (effects.baseVersion() == 0) {
      if (accounts.putIfAbsent(transition.account(), new Account(next)) != null) {
        throw new IllegalStateException("account " + transition.account() + " exists already");
      }
    }
    final Account stored = accounts.get(transition.account());
    if (stored == null) {
      throw new IllegalStateException("account " + transition.account() + " does not exist");
    }
    stored.write(next, effects);
  }

  private static final class Account {
    /** The account's own row: numbers, policy, period; its leases are rows of their own. */
    private AccountLedger head;

    private final Map<RowKey, StoredRow> rows = new HashMap<>();
    private final List<Effects> journal = new ArrayList<>();
    private final List<UsageEntry> usage = new ArrayList<>();
    private final List<UsageEntry> rejected = new ArrayList<>();
    private final List<Effects.FundingEntry> funding = new ArrayList<>();

    Account(AccountLedger head) {
      this.head = head;
    }

    void write(AccountLedger next, Effects effects) {
      head = next;
      journal.add(effects);
      funding.addAll(effects.funding());
      for (final Lease lease : effects.inserted()) {
        insert(new RowKey.LeaseKey(lease.id()), new StoredRow.LeaseRow(lease));
      }
      for (final Lease lease : effects.updated()) {
        update(new RowKey.LeaseKey(lease.id()), new StoredRow.LeaseRow(lease));
      }
      if (effects.commandRow() != null
          && effects.request().command() instanceof LedgerCommand.OperatorCommand operator) {
        insert(new RowKey.CommandKey(operator.commandId()), effects.commandRow());
      }
      for (final UsageEntry entry : effects.usage()) {
        usage.add(entry);
        insert(
            new RowKey.UsageKey(entry.event().requestId(), entry.event().part()),
            new StoredRow.UsageRow(
                entry.verdict(),
                entry.event().units(),
                entry.event().writer(),
                entry.event().sequence(),
                0));
      }
      for (final UsageEntry entry : effects.rejected()) {
        rejected.add(entry);
        insert(
            new RowKey.DeliveryKey(entry.event().writer(), entry.event().sequence()),
            new StoredRow.RejectedRow(entry.verdict()));
      }
      final Effects.CreditEntry credit = effects.credit();
      if (credit != null) {
        credit(new RowKey.UsageKey(credit.requestId(), credit.part()), credit.units());
      }
    }

    private void insert(RowKey key, StoredRow row) {
      if (rows.putIfAbsent(key, row) != null) {
        throw new IllegalStateException("row " + key + " exists already");
      }
    }

    private void update(RowKey key, StoredRow row) {
      if (rows.replace(key, row) == null) {
        throw new IllegalStateException("row " + key + " does not exist");
      }
    }

    private void credit(RowKey.UsageKey key, long units) {
      final StoredRow.UsageRow row = (StoredRow.UsageRow) rows.get(key);
      if (row == null) {
        throw new IllegalStateException("part " + key + " was never billed");
      }
      update(
          key,
          new StoredRow.UsageRow(
              row.verdict(),
              row.units(),
              row.writer(),
              row.sequence(),
              Math.addExact(row.creditedUnits(), units)));
    }

    List<Lease> leases(LeaseState... states) {
      final Set<LeaseState> wanted = Set.of(states);
      return rows.values().stream()
          .filter(StoredRow.LeaseRow.class::isInstance)
          .map(row -> ((StoredRow.LeaseRow) row).lease())
          .filter(lease -> wanted.contains(lease.state()))
          .sorted(Comparator.comparingLong(Lease::fence))
          .toList();
    }

    List<String> disagreements() {
      final List<String> found = new ArrayList<>();
      compare(found, "deposited", head.balances().deposited(), fundedUnits());
      compare(found, "overage", head.balances().overage(), usedUnits(UsageVerdict.OVERAGE));
      compare(
          found,
          "billed",
          head.balances().billed(),
          usedUnits(UsageVerdict.LEASED, UsageVerdict.STRAGGLER, UsageVerdict.OVERAGE));
      compare(found, "unfunded", head.balances().unfunded(), usedUnits(UsageVerdict.UNFUNDED));
      compare(found, "outstanding", head.balances().outstanding(), remaining(LeaseState.ACTIVE));
      compare(found, "resident loss", head.balances().lossResident(), remaining(LeaseState.LOSS));
      compare(
          found, "archived loss", head.balances().lossArchived(), remaining(LeaseState.ARCHIVED));
      compare(
          found,
          "billed to leases",
          leases(LeaseState.values()).stream().mapToLong(Lease::billed).sum(),
          usedUnits(UsageVerdict.LEASED, UsageVerdict.STRAGGLER));
      compare(found, "versions", head.version(), journal.size());
      return found;
    }

    private long fundedUnits() {
      return funding.stream().mapToLong(Effects.FundingEntry::units).reduce(0, Math::addExact);
    }

    private long usedUnits(UsageVerdict... verdicts) {
      final Set<UsageVerdict> wanted = Set.of(verdicts);
      return usage.stream()
          .filter(entry -> wanted.contains(entry.verdict()))
          .mapToLong(entry -> entry.event().units())
          .reduce(0, Math::addExact);
    }

    private long remaining(LeaseState state) {
      return leases(state).stream().mapToLong(Lease::remaining).reduce(0, Math::addExact);
    }

    private static void compare(List<String> found, String what, long stored, long rows) {
      if (stored != rows) {
        found.add("the account says " + stored + " of " + what + ", its rows say " + rows);
      }
    }
  }
}
