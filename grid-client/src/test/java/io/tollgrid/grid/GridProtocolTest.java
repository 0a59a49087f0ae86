package io.tollgrid.grid;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.DenialMinute;
import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.GrantPolicy;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Recall;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.ledger.UsageEvent;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.Subject;
import io.tollgrid.ledger.port.LedgerCodeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Witnesses, on a real member and through a real client, that no answer leaves the owner unchecked
 * (R15), that retries converge (R16), that operator commands are authenticated (R45) and that a
 * refusal leaves a recall (R2).
 */
@Timeout(60)
class GridProtocolTest {
  private static final long TTL = 60_000_000_000L;
  private static final Id128 HOLDER = new Id128(7, 7);

  private final AtomicLong now = new AtomicLong(1_800_000_000_000_000_000L);
  private final AtomicLong ids = new AtomicLong();
  private final Id128 account = new Id128(1, 1);
  private TestMember grid;
  private HazelcastInstance remote;
  private LedgerClient control;
  private LedgerClient instance;

  @BeforeEach
  void start() {
    grid = new TestMember(this::tick);
    remote = grid.client();
    control = client(grid.member(), grid.key);
    instance = client(remote, null);
    assertThat(
            ask(
                control,
                new LedgerCommand.Create(
                    id(), AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT)))
        .isEqualTo(new Outcome.Changed(1, 1));
  }

  @AfterEach
  void stop() {
    instance.close();
    control.close();
    remote.shutdown();
    grid.close();
  }

  @Test
  void aLeaseIsGrantedSpentAndReleasedThroughAClient() {
    deposit(100);
    final Outcome.Granted lease = acquire(id(), 40);

    assertThat(lease.units()).isEqualTo(40);
    assertThat(ask(instance, new LedgerCommand.RecordUsage(List.of(usage(lease, 15)))))
        .isEqualTo(new Outcome.UsageRecorded(List.of(UsageVerdict.LEASED)));
    assertThat(ask(instance, new LedgerCommand.Release(lease.leaseId(), lease.fence(), 1, 25)))
        .isInstanceOf(Outcome.Stepped.class);
    assertThat(grid.store.verify(account)).isEmpty();
    assertThat(grid.store.load(account).orElseThrow().balances().balance()).isEqualTo(85);
  }

  @Test
  void aCommandWhoseStoreFailedAfterItsCommitIsAnsweredWithItsOriginalReceipt() {
    grid.failAfterCommit.set(1);

    assertThat(ask(control, new LedgerCommand.Deposit(id(), 100)))
        .isEqualTo(new Outcome.Funded(100, 2));

    assertThat(grid.store.load(account).orElseThrow().balances().topUp()).isEqualTo(100);
    final Id128 leaseId = id();
    grid.failAfterCommit.set(1);
    assertThat(acquire(leaseId, 40).fence()).isEqualTo(1);
    assertThat(grid.store.load(account).orElseThrow().balances().outstanding()).isEqualTo(40);
  }

  @Test
  void noRefusalIsTakenFromMemoryThatIsOlderThanTheStore() {
    // A deposit that committed, whose caller never comes back: memory still says 0.
    grid.failAfterCommit.set(1);
    final HazelcastLedgerGrid raw = new HazelcastLedgerGrid(grid.member());
    final var request =
        new LedgerRequest(account, "gone", tick() + TTL, new LedgerCommand.Deposit(id(), 100));
    assertThat(
            raw.attempt(new LedgerProcessor(request, grid.key.sign(request)))
                .toCompletableFuture()
                .handle((r, e) -> e)
                .join())
        .isNotNull();

    assertThat(acquire(id(), 40).units()).isEqualTo(40);
  }

  @Test
  void commandsThatTravelTogetherAreStoredOnceAndAnsweredEach() {
    deposit(100);
    final Outcome.Granted lease = acquire(id(), 40);
    final int storesBefore = grid.stores.get();

    final List<LedgerReply> replies =
        attempt(
            new LedgerCommand.Acquire(id(), HOLDER, new GrantPolicy(60, 60, 1, 60), TTL, 0),
            new LedgerCommand.Acquire(id(), HOLDER, GrantPolicy.of(50, 50), TTL, 50),
            new LedgerCommand.Return(lease.leaseId(), lease.fence(), 1, 15));

    assertThat(replies).hasSize(3);
    assertThat(replies.get(0).outcome()).isInstanceOf(Outcome.Granted.class);
    assertThat(replies.get(1).outcome())
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            r -> assertThat(r.reason()).isEqualTo(Refusal.BALANCE_INSUFFICIENT));
    assertThat(replies.get(2).outcome()).isInstanceOf(Outcome.Stepped.class);
    assertThat(replies.get(2).recall()).extracting(Recall::units).isEqualTo(50L);
    assertThat(grid.stores.get()).isEqualTo(storesBefore + 1);
    assertThat(grid.store.verify(account)).isEmpty();
    assertThat(grid.store.load(account).orElseThrow().balances().outstanding()).isEqualTo(85);
  }

  @Test
  void aChainEndsWhereARowIsNeededAndWhatCameBeforeStands() {
    deposit(100);
    final Outcome.Granted gone = acquire(id(), 40);
    ask(instance, new LedgerCommand.Release(gone.leaseId(), gone.fence(), 1, 40));
    grid.member().getMap(GridNames.LEDGERS).evict(GridNames.ledgerKey(account));

    final List<LedgerReply> replies =
        attempt(
            new LedgerCommand.Acquire(id(), HOLDER, new GrantPolicy(30, 30, 1, 30), TTL, 0),
            new LedgerCommand.Return(gone.leaseId(), gone.fence(), 2, 1),
            new LedgerCommand.Acquire(id(), HOLDER, new GrantPolicy(30, 30, 1, 30), TTL, 0));

    assertThat(replies).hasSize(2);
    assertThat(replies.get(1).outcome()).isInstanceOf(Outcome.NeedsRows.class);
    assertThat(grid.store.load(account).orElseThrow().balances().outstanding()).isEqualTo(30);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void everyAcquireOfManyIsGrantedOnceThoughStoresFailAfterTheirCommit(int failures) {
    deposit(1_200);
    grid.failAfterCommit.set(failures);
    final int storesBefore = grid.stores.get();

    final var calls =
        IntStream.range(0, 60)
            .mapToObj(
                i ->
                    instance
                        .submit(
                            account,
                            new LedgerCommand.Acquire(
                                id(), HOLDER, new GrantPolicy(20, 20, 1, 20), TTL, 0))
                        .toCompletableFuture())
            .toList();

    assertThat(calls)
        .allSatisfy(
            call ->
                assertThat(call.orTimeout(40, TimeUnit.SECONDS).join().outcome())
                    .isInstanceOf(Outcome.Granted.class));
    assertThat(grid.store.verify(account)).isEmpty();
    assertThat(grid.store.leases(account)).hasSize(60);
    if (failures < 2) {
      // A chain that failed is taken apart; without one, what waited was stored together.
      assertThat(grid.stores.get() - storesBefore).isLessThan(30);
    }
  }

  @Test
  void anUnknownAccountIsRefusedAndLeavesNothingInMemory() {
    final Id128 nobody = new Id128(404, 404);

    assertThat(
            instance
                .submit(
                    nobody, new LedgerCommand.Acquire(id(), HOLDER, GrantPolicy.of(1, 1), TTL, 0))
                .toCompletableFuture()
                .join()
                .outcome())
        .isEqualTo(new Outcome.Refused(Refusal.UNKNOWN_ACCOUNT, null));
    assertThat(grid.member().<String, LedgerEntry>getMap(GridNames.LEDGERS).localKeySet())
        .doesNotContain(GridNames.ledgerKey(nobody));
  }

  /** Witnesses R20: it is spend of somebody, and its classification is final like any other. */
  @Test
  void usageOfAnUnknownAccountIsRejectedKeptAndLeavesNothingInMemory() {
    final Id128 nobody = id();
    final var batch =
        new LedgerCommand.RecordUsage(
            List.of(usage(new Funding.Unfunded(), 3), usage(new Funding.Unfunded(), 4)));
    final Outcome rejected =
        new Outcome.UsageRecorded(
            List.of(UsageVerdict.UNKNOWN_ACCOUNT, UsageVerdict.UNKNOWN_ACCOUNT));

    for (int i = 0; i < 2; i++) {
      assertThat(instance.submit(nobody, batch).toCompletableFuture().join().outcome())
          .isEqualTo(rejected);
    }
    assertThat(grid.store.rejected(nobody)).hasSize(2);
    assertThat(grid.member().<String, LedgerEntry>getMap(GridNames.LEDGERS).localKeySet())
        .doesNotContain(GridNames.ledgerKey(nobody));
  }

  @Test
  void anOperatorCommandWithoutTheKeyIsRefusedAndNotStored() {
    final int before = grid.stores.get();
    final LedgerClient forger =
        client(
            remote,
            new OperatorKey(
                "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII)));

    assertThat(ask(instance, new LedgerCommand.Deposit(id(), 100)))
        .isEqualTo(new Outcome.Refused(Refusal.UNAUTHENTICATED, null));
    assertThat(ask(forger, new LedgerCommand.Deposit(id(), 100)))
        .isEqualTo(new Outcome.Refused(Refusal.UNAUTHENTICATED, null));

    assertThat(grid.stores.get()).isEqualTo(before);
    forger.close();
  }

  @Test
  void aLostFenceIsDrawnAnewAndTheEntryReadAgain() {
    deposit(100);
    grid.fences.drop(grid.partitionOf(GridNames.ledgerKey(account)), 1);

    assertThat(acquire(id(), 10).units()).isEqualTo(10);
    assertThat(grid.store.verify(account)).isEmpty();
  }

  @Test
  void aDeposedOwnerWritesNothing() {
    deposit(100);
    final int partition = grid.partitionOf(GridNames.ledgerKey(account));
    synchronized (grid.store) {
      grid.store.raise(partition, 99);
    }
    final HazelcastLedgerGrid raw = new HazelcastLedgerGrid(grid.member());
    final var request =
        new LedgerRequest(account, "late", tick() + TTL, new LedgerCommand.Deposit(id(), 1));

    final Throwable failure =
        raw.attempt(new LedgerProcessor(request, grid.key.sign(request)))
            .toCompletableFuture()
            .handle((r, e) -> e)
            .join();

    assertThat(LedgerCodeException.codeOf(failure)).contains(LedgerCode.FENCED);
    assertThat(grid.store.load(account).orElseThrow().balances().topUp()).isEqualTo(100);
  }

  @Test
  void aRetryOfAReleaseThatLeftTheEntryIsAnsweredFromItsRow() {
    deposit(100);
    final Outcome.Granted lease = acquire(id(), 40);
    final var release = new LedgerCommand.Release(lease.leaseId(), lease.fence(), 1, 40);
    final Outcome first = ask(instance, release);
    grid.member().getMap(GridNames.LEDGERS).evict(GridNames.ledgerKey(account));

    assertThat(ask(instance, release)).isEqualTo(first);
  }

  @Test
  void aReplayedUsageBatchKeepsItsFirstClassification() {
    deposit(100);
    final Outcome.Granted lease = acquire(id(), 40);
    final var batch = new LedgerCommand.RecordUsage(List.of(usage(lease, 15), usage(lease, 50)));
    final Outcome first = ask(instance, batch);

    assertThat(ask(instance, batch)).isEqualTo(first);
    assertThat(grid.store.load(account).orElseThrow().balances().billed()).isEqualTo(15);
  }

  @Test
  void aRefusalLeavesARecallThatOthersCanReadAndTheAskerCanClear() {
    deposit(100);
    final Outcome.Granted held = acquire(id(), 100);
    final Id128 asker = new Id128(8, 8);

    assertThat(
            ask(instance, new LedgerCommand.Acquire(id(), asker, GrantPolicy.of(60, 60), TTL, 60)))
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            r -> assertThat(r.reason()).isEqualTo(Refusal.BALANCE_INSUFFICIENT));

    assertThat(instance.recall(account).toCompletableFuture().join())
        .hasValueSatisfying(
            recall -> {
              assertThat(recall.units()).isEqualTo(60);
              assertThat(recall.holder()).isEqualTo(asker);
            });
    final LedgerAnswer back =
        instance
            .submit(account, new LedgerCommand.Return(held.leaseId(), held.fence(), 1, 100))
            .toCompletableFuture()
            .join();
    assertThat(back.recall()).extracting(Recall::units).isEqualTo(60L);
    ask(instance, new LedgerCommand.Acquire(id(), asker, GrantPolicy.of(60, 60), TTL, 60));
    assertThat(instance.recall(account).toCompletableFuture().join()).isEmpty();
  }

  private List<LedgerReply> attempt(LedgerCommand... commands) {
    return new HazelcastLedgerGrid(remote)
        .attempt(
            new LedgerProcessor(
                Arrays.stream(commands)
                    .map(command -> new LedgerRequest(account, "test", tick() + TTL, command))
                    .toList(),
                null))
        .toCompletableFuture()
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
  }

  private LedgerClient client(HazelcastInstance hazelcast, OperatorKey key) {
    return new GridLedgerClient(
        hazelcast,
        LedgerClientSettings.defaults("test"),
        key,
        this::tick,
        new SimpleMeterRegistry());
  }

  @Test
  void aSubjectIsIntroducedByNameOnAMemberAndItsAnswerComesBack() {
    final Subject alice = Subject.of("acme/alice \u00e9\ud83d\ude00");
    for (final HazelcastInstance from : List.of(grid.member(), remote)) {
      assertThat(
              new GridPolicySource(from, Duration.ofSeconds(20))
                  .introduce(alice)
                  .toCompletableFuture()
                  .join())
          .isEqualTo(Introduction.refused("not " + alice.name()));
    }
  }

  @Test
  void denialsArriveOnAMemberAsTheyWereReported() {
    final DenialReport report =
        new DenialReport(
            new Id128(1, 2),
            3,
            List.of(
                new DenialMinute(account, new Id128(4, 5), "NO_LEASE", 6, 7, Long.MAX_VALUE),
                new DenialMinute(Id128.ZERO, Id128.ZERO, "UNKNOWN_PRINCIPAL", 0, 1, 0)));
    for (final HazelcastInstance from : List.of(grid.member(), remote)) {
      assertThat(
              new GridPolicySource(from, Duration.ofSeconds(20))
                  .keep(report)
                  .toCompletableFuture()
                  .join())
          .isTrue();
    }
    assertThat(grid.denials).containsExactly(report, report);
  }

  private Outcome ask(LedgerClient client, LedgerCommand command) {
    return client
        .submit(account, command)
        .toCompletableFuture()
        .orTimeout(20, TimeUnit.SECONDS)
        .join()
        .outcome();
  }

  private void deposit(long units) {
    assertThat(ask(control, new LedgerCommand.Deposit(id(), units)))
        .isInstanceOf(Outcome.Funded.class);
  }

  private Outcome.Granted acquire(Id128 leaseId, long units) {
    return (Outcome.Granted)
        ask(
            instance,
            new LedgerCommand.Acquire(
                leaseId, HOLDER, new GrantPolicy(units, units, 1, units), TTL, 0));
  }

  private UsageEvent usage(Outcome.Granted lease, long units) {
    return usage(new Funding.Leased(lease.leaseId(), lease.fence()), units);
  }

  private UsageEvent usage(Funding funding, long units) {
    return new UsageEvent(
        Id128.timeOrdered(now.get() / 1_000_000, 0, ids.incrementAndGet()),
        0,
        LegRole.BILLING,
        funding,
        units,
        1,
        List.of(),
        Id128.ZERO,
        Bits256.ZERO,
        now.get(),
        HOLDER,
        ids.incrementAndGet());
  }

  private Id128 id() {
    return new Id128(42, ids.incrementAndGet());
  }

  private long tick() {
    return now.addAndGet(1_000_000);
  }
}
