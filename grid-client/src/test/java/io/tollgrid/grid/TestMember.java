package io.tollgrid.grid;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.MapStore;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import io.tollgrid.ledger.port.HeldFences;
import io.tollgrid.ledger.port.Introductions;
import io.tollgrid.ledger.port.LedgerClock;
import io.tollgrid.ledger.port.LedgerCodeException;
import io.tollgrid.ledger.port.LedgerRows;
import io.tollgrid.ledger.port.PolicyReads;
import io.tollgrid.ledger.store.Transition;
import io.tollgrid.ledger.store.Verdict;
import io.tollgrid.ledger.testing.InMemoryLedgerStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** One real Hazelcast member whose ledgers are stored in memory, with faults on demand. */
final class TestMember implements AutoCloseable {
  private static final PolicyReads NO_POLICIES =
      new PolicyReads() {
        @Override
        public PolicySet read(PolicyQuery query) {
          return PolicySet.EMPTY;
        }

        @Override
        public CredentialPage credentials(Id128 after, int limit) {
          return new CredentialPage(0, List.of());
        }
      };

  /** Refuses everybody, by name: what comes back has come all the way. */
  private static final Introductions INTRODUCED =
      subject -> Introduction.refused("not " + subject.name());

  private static final AtomicInteger PORTS = new AtomicInteger(6_701);

  final InMemoryLedgerStore store = new InMemoryLedgerStore();
  final OperatorKey key = new OperatorKey(new byte[OperatorKey.BYTES]);
  final AtomicInteger failAfterCommit = new AtomicInteger();
  final AtomicInteger stores = new AtomicInteger();
  final Fences fences = new Fences();

  /** Reports of denials that came. */
  final List<DenialReport> denials = new CopyOnWriteArrayList<>();

  private final String cluster = "grid-protocol-" + UUID.randomUUID();
  private final int port = PORTS.getAndIncrement();
  private final HazelcastInstance member;

  TestMember(LedgerClock clock) {
    final Config config = new Config();
    config.setClusterName(cluster);
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.partition.count", "11");
    config.getJetConfig().setEnabled(false);
    config.getNetworkConfig().setPort(port).getJoin().getAutoDetectionConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    GridSerialization.configure(config.getSerializationConfig());
    final MapConfig ledgers = new MapConfig(GridNames.LEDGERS).setBackupCount(0);
    ledgers
        .getMapStoreConfig()
        .setEnabled(true)
        .setImplementation(new Store(clock))
        .setWriteDelaySeconds(0);
    config.addMapConfig(ledgers);
    final LedgerRows rows =
        new LedgerRows() {
          @Override
          public Map<RowKey, Optional<StoredRow>> fetch(Id128 account, Set<RowKey> keys) {
            synchronized (store) {
              return store.fetch(account, keys);
            }
          }
        };
    config
        .getUserContext()
        .put(
            LedgerMember.CONTEXT_KEY,
            new LedgerMember(
                Ledger::apply,
                fences,
                rows,
                NO_POLICIES,
                INTRODUCED,
                denials::add,
                clock,
                LedgerLimits.DEFAULTS,
                key));
    member = Hazelcast.newHazelcastInstance(config);
  }

  HazelcastInstance member() {
    return member;
  }

  HazelcastInstance client() {
    final ClientConfig config = new ClientConfig();
    config.setClusterName(cluster);
    config.setProperty("hazelcast.logging.type", "none");
    config.getNetworkConfig().addAddress("127.0.0.1:" + port);
    GridSerialization.configure(config.getSerializationConfig());
    return HazelcastClient.newHazelcastClient(config);
  }

  int partitionOf(String ledgerKey) {
    return member.getPartitionService().getPartition(ledgerKey).getPartitionId();
  }

  @Override
  public void close() {
    member.getLifecycleService().terminate();
  }

  /** Fences that are granted the moment they are asked for. */
  final class Fences implements HeldFences {
    private final Map<Integer, Long> held = new ConcurrentHashMap<>();
    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger drops = new AtomicInteger();

    @Override
    public OptionalLong held(int partition) {
      final Long fence = held.get(partition);
      return fence == null ? OptionalLong.empty() : OptionalLong.of(fence);
    }

    @Override
    public void request(int partition) {
      requests.incrementAndGet();
      synchronized (store) {
        final long next = store.fence(partition) + 1;
        store.raise(partition, next);
        held.put(partition, next);
      }
    }

    @Override
    public void drop(int partition, long fence) {
      drops.incrementAndGet();
      held.remove(partition, fence);
    }
  }

  private final class Store implements MapStore<String, LedgerEntry> {
    private static final long MAX_SKEW_NANOS = 500_000_000L;

    private final LedgerClock clock;

    Store(LedgerClock clock) {
      this.clock = clock;
    }

    @Override
    public void store(String ledgerKey, LedgerEntry entry) {
      final int partition = partitionOf(ledgerKey);
      final List<Transition> chain =
          entry.decisions().stream()
              .map(
                  decision ->
                      new Transition(
                          Id128.parse(ledgerKey),
                          partition,
                          entry.ownershipFence(),
                          decision.next(),
                          Objects.requireNonNull(decision.effects(), "a value without effects")))
              .toList();
      stores.incrementAndGet();
      final Verdict verdict;
      synchronized (store) {
        verdict = store.commitChain(clock.nowNanos(), MAX_SKEW_NANOS, chain);
      }
      final LedgerCode code = verdict.code();
      if (code != null) {
        throw new LedgerCodeException(code, "refused by the store");
      }
      if (entry.ledger() == null) {
        throw new LedgerCodeException(LedgerCode.UNKNOWN_ACCOUNT, "no such account");
      }
      if (verdict == Verdict.COMMIT && failAfterCommit.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        throw new IllegalStateException("connection lost after COMMIT");
      }
    }

    @Override
    public LedgerEntry load(String ledgerKey) {
      final int partition = partitionOf(ledgerKey);
      final OptionalLong fence = fences.held(partition);
      if (fence.isEmpty()) {
        fences.request(partition);
        throw new LedgerCodeException(LedgerCode.NO_FENCE, "asked for one");
      }
      synchronized (store) {
        final Optional<AccountLedger> ledger = store.load(Id128.parse(ledgerKey));
        return ledger.map(l -> LedgerEntry.loaded(l, fence.getAsLong())).orElse(null);
      }
    }

    @Override
    public Map<String, LedgerEntry> loadAll(Collection<String> keys) {
      final Map<String, LedgerEntry> loaded = new HashMap<>();
      for (final String ledgerKey : keys) {
        final LedgerEntry entry = load(ledgerKey);
        if (entry != null) {
          loaded.put(ledgerKey, entry);
        }
      }
      return loaded;
    }

    @Override
    public Iterable<String> loadAllKeys() {
      return null;
    }

    @Override
    public void storeAll(Map<String, LedgerEntry> entries) {
      throw new UnsupportedOperationException("one ledger at a time");
    }

    @Override
    public void delete(String ledgerKey) {
      throw new UnsupportedOperationException("ledgers are never deleted");
    }

    @Override
    public void deleteAll(Collection<String> keys) {
      throw new UnsupportedOperationException("ledgers are never deleted");
    }
  }
}
