package io.tollgrid.grid.usage;

import static io.tollgrid.grid.usage.Deliveries.batch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.tollgrid.grid.GridNames;
import io.tollgrid.grid.GridSerialization;
import io.tollgrid.ledger.UsageVerdict;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R20 and R22 of the inbox on a real grid of two members and a client: a batch that is
 * left again is the one that is there, each has a copy elsewhere, what was classified stays so, and
 * nothing of it is evicted.
 */
class GridUsageInboxTest {
  private static final Queue<LeftUsage> RUNG = new ConcurrentLinkedQueue<>();
  private static final String CLUSTER = "inbox-" + UUID.randomUUID();
  private static HazelcastInstance first;
  private static HazelcastInstance second;
  private static HazelcastInstance client;
  private static GridUsageInbox inbox;
  private static long numbers;

  private final UsageBatch batch = batch(++numbers, 1, 2, 3);

  @BeforeAll
  static void open() {
    first = Hazelcast.newHazelcastInstance(member(List.of()));
    second =
        Hazelcast.newHazelcastInstance(
            member(
                List.of(
                    "127.0.0.1:" + first.getCluster().getLocalMember().getAddress().getPort())));
    final ClientConfig config = new ClientConfig().setClusterName(CLUSTER);
    config.setProperty("hazelcast.logging.type", "none");
    config
        .getNetworkConfig()
        .addAddress("127.0.0.1:" + first.getCluster().getLocalMember().getAddress().getPort());
    GridSerialization.configure(config.getSerializationConfig());
    client = HazelcastClient.newHazelcastClient(config);
    inbox = new GridUsageInbox(client, Duration.ofSeconds(5));
  }

  private static Config member(List<String> others) {
    final Config config = new Config();
    config.setClusterName(CLUSTER);
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.partition.count", "11");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    final var join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true).setMembers(others);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    GridSerialization.configure(config.getSerializationConfig());
    config.addMapConfig(MemberInbox.mapConfig());
    config.getUserContext().put(UsageDoorbell.CONTEXT_KEY, (UsageDoorbell) RUNG::add);
    return config;
  }

  @AfterAll
  static void close() {
    inbox.close();
    client.shutdown();
    second.getLifecycleService().terminate();
    first.getLifecycleService().terminate();
  }

  @BeforeEach
  void quiet() {
    RUNG.clear();
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  private MemberInbox owner() {
    return new MemberInbox(
        first.getPartitionService().getPartition(batch.key()).getOwner().localMember()
            ? first
            : second);
  }

  @Test
  void aBatchRingsOnceAtItsOwnerAndIsThereAsItWasLeft() {
    assertThat(get(inbox.leave(batch)).known()).isZero();
    assertThat(get(inbox.leave(batch)).known()).isZero();

    assertThat(RUNG).as("not at the copy, and not again").hasSize(1);
    assertThat(RUNG.element().key()).isEqualTo(batch.key());
    assertThat(RUNG.element().deliveries()).isEqualTo(batch.deliveries());
    assertThat(owner().keys()).contains(batch.key());
    final LeftUsage left = owner().read(List.of(batch.key())).get(0);
    assertThat(left.deliveries()).isEqualTo(batch.deliveries());
    assertThat(left.verdicts()).isEqualTo(UsageVerdicts.none(3));
  }

  @Test
  void aQuestionIsAnsweredOnceMoreIsKnownAndWhatIsKnownStays() {
    get(inbox.leave(batch));
    final var asked = inbox.ask(batch, 0);
    assertThat(get(owner().classify(batch.key(), List.of(1), List.of(UsageVerdict.STRAGGLER))))
        .isTrue();

    final UsageVerdicts known = get(asked).orElseThrow();
    assertThat(known.known()).isEqualTo(1);
    assertThat(known.get(1)).isEqualTo(UsageVerdict.STRAGGLER);

    get(
        owner()
            .classify(
                batch.key(),
                List.of(0, 1, 2),
                List.of(UsageVerdict.LEASED, UsageVerdict.LEASED, UsageVerdict.DUPLICATE)));
    final UsageVerdicts all = get(inbox.ask(batch, 1)).orElseThrow();
    assertThat(List.of(all.get(0), all.get(1), all.get(2)))
        .containsExactly(UsageVerdict.LEASED, UsageVerdict.STRAGGLER, UsageVerdict.DUPLICATE);
    assertThat(get(inbox.leave(batch))).as("left again it is what it was").isEqualTo(all);
  }

  @Test
  void anAnsweredBatchKeepsNoEventsAndGoesByItselfOrWhenItIsForgotten() {
    get(inbox.leave(batch));
    get(
        owner()
            .classify(
                batch.key(),
                List.of(0, 1, 2),
                List.of(UsageVerdict.LEASED, UsageVerdict.LEASED, UsageVerdict.LEASED)));
    assertThat(owner().read(List.of(batch.key())).get(0).deliveries()).isEmpty();
    assertThat(
            first
                .<String, InboxEntry>getMap(GridNames.USAGE_INBOX)
                .getEntryView(batch.key())
                .getTtl())
        .isEqualTo(TimeUnit.SECONDS.toMillis(60));

    inbox.forget(batch);
    // The same key, so behind it.
    assertThat(get(inbox.ask(batch, 0))).isEmpty();
  }

  @Test
  void whatIsNotThereIsSaidToBeAbsentAndClassifyingItChangesNothing() {
    assertThat(get(inbox.ask(batch, 0))).isEmpty();
    assertThat(get(owner().classify(batch.key(), List.of(0), List.of(UsageVerdict.LEASED))))
        .isFalse();
    assertThat(get(inbox.ask(batch, 0))).isEmpty();
  }

  @Test
  void nothingIsEvictedAndOneCopyIsKept() {
    final var config = first.getConfig().findMapConfig(GridNames.USAGE_INBOX);
    assertThat(config.getBackupCount()).isEqualTo(1);
    assertThat(config.getEvictionConfig().getEvictionPolicy().name()).isEqualTo("NONE");
    get(inbox.leave(batch));
    final long copies =
        first.getMap(GridNames.USAGE_INBOX).getLocalMapStats().getBackupEntryCount()
            + second.getMap(GridNames.USAGE_INBOX).getLocalMapStats().getBackupEntryCount();
    final long owned =
        first.getMap(GridNames.USAGE_INBOX).getLocalMapStats().getOwnedEntryCount()
            + second.getMap(GridNames.USAGE_INBOX).getLocalMapStats().getOwnedEntryCount();
    assertThat(copies).isEqualTo(owned).isPositive();
  }

  /** A slow machine asks less, never more. */
  @Test
  void theMoreBatchesAreOpenTheSeldomerItAsksAboutEach() throws InterruptedException {
    final LongAdder questions = new LongAdder();
    final GridUsageInbox many =
        new GridUsageInbox(counting(client, questions), Duration.ofSeconds(30));
    final int batches = 400;
    for (int i = 0; i < batches; i++) {
      final UsageBatch left = batch(++numbers, 1);
      get(many.leave(left));
      final var unused = many.ask(left, 0);
    }
    questions.reset();
    final long fromNanos = System.nanoTime();
    while (questions.sum() < 3 * batches) {
      Thread.sleep(1);
    }
    final long tookMillis = (System.nanoTime() - fromNanos) / 1_000_000;
    many.close();
    assertThat(tookMillis).as("of three questions about each").isGreaterThan(3 * batches);
  }

  /** The same instance, whose maps count what is submitted to them. */
  private static HazelcastInstance counting(HazelcastInstance instance, LongAdder submitted) {
    return proxy(
        HazelcastInstance.class,
        (method, arguments) -> {
          final Object answer = method.invoke(instance, arguments);
          return answer instanceof IMap<?, ?> map
              ? proxy(
                  IMap.class,
                  (asked, with) -> {
                    if (asked.getName().equals("submitToKey")) {
                      submitted.increment();
                    }
                    return asked.invoke(map, with);
                  })
              : answer;
        });
  }

  private interface Call {
    Object make(Method method, Object[] arguments) throws ReflectiveOperationException;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call.make(method, arguments)));
  }

  @Test
  void anInboxThatWasClosedAnswersThatItFailed() {
    final GridUsageInbox other = new GridUsageInbox(client, Duration.ofSeconds(5));
    get(other.leave(batch));
    final var open = other.ask(batch, 0);
    other.close();
    assertThatThrownBy(() -> get(open)).isInstanceOf(CompletionException.class);
    assertThatThrownBy(() -> get(other.ask(batch, 0))).isInstanceOf(CompletionException.class);
  }
}
