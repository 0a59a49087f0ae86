package io.tollgrid.node.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.map.IMap;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.grid.GridLedgerClient;
import io.tollgrid.grid.GridNames;
import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.LedgerClientSettings;
import io.tollgrid.grid.OperatorKey;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.AccountLedger;
import io.tollgrid.ledger.Balances;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerEntry;
import io.tollgrid.ledger.LedgerLimits;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import io.tollgrid.mapstore.database.LedgerDataSources;
import io.tollgrid.mapstore.verify.Finding;
import io.tollgrid.mapstore.verify.LedgerVerification;
import io.tollgrid.node.testing.Eventually;
import io.tollgrid.node.testing.LedgerTalk;
import io.tollgrid.node.testing.TestCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Witnesses R45 on the grid plane and what an abused node does: whatever a process that is no
 * instance sends to its listeners is refused, or found out by the next answer and by the
 * verification; the node stays ready, serves, and the database is exact. Choices are drawn from a
 * seed, printed, and set by the system property {@code tollgrid.test.seed}.
 */
class WireAbuseTest {
  private static final long SEED = Long.getLong("tollgrid.test.seed", System.nanoTime());

  @TempDir private static Path secrets;

  private static final Random RANDOM = new Random(SEED);
  private static final Set<Id128> FORGED = new HashSet<>();
  private static TestCluster cluster;
  private static HazelcastInstance hostile;
  private static LedgerDataSources sources;
  private static LedgerTalk talk;
  private static Id128 account;
  private static Workload workload;

  /** An instance that goes on all the while. */
  private static final class Workload extends Thread {
    private final LedgerTalk busy = new LedgerTalk(cluster.remoteClient());
    private final Id128 spent = talk.account(1_000_000);
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong rounds = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    @Override
    public void run() {
      try {
        while (!over.get()) {
          final Outcome.Granted lease = busy.acquire(spent, 10);
          assertThat(lease.units()).isEqualTo(10);
          assertThat(busy.release(spent, lease)).isInstanceOf(Outcome.Applied.class);
          rounds.incrementAndGet();
        }
      } catch (Throwable e) {
        failure.set(e);
      }
    }
  }

  @BeforeAll
  static void start() throws IOException {
    System.out.println("seed " + SEED);
    Files.writeString(secrets.resolve("operator.key"), "a secret of the node's");
    cluster = TestCluster.of(1).start();
    sources = cluster.postgres().dataSources();
    talk = new LedgerTalk(cluster.embeddedClient(0));
    account = talk.account(1_000);
    hostile = cluster.remote();
    workload = new Workload();
    workload.start();
    awaitRounds(1);
  }

  @AfterAll
  static void stop() throws InterruptedException {
    workload.over.set(true);
    workload.join();
    sources.close();
    cluster.close();
  }

  /** After all requests of a kind: what each left in the database is there still. */
  @AfterEach
  void theDatabaseIsExact() throws SQLException {
    nothingCameOfIt();
    assertThat(disagreements()).extracting(Finding::account).isSubsetOf(FORGED);
  }

  private static void nothingCameOfIt() {
    awaitRounds(workload.rounds.get() + 2);
    assertThat(cluster.node(0).readiness().reasons()).isEmpty();
    final Outcome.Granted lease = talk.acquire(account, 10);
    assertThat(lease.units()).isEqualTo(10);
    assertThat(talk.release(account, lease)).isInstanceOf(Outcome.Applied.class);
    assertThat(System.getProperty(HostileTask.MADE)).isNull();
  }

  private static void awaitRounds(long rounds) {
    Eventually.until(
        "the workload goes on",
        Duration.ofSeconds(60),
        () -> workload.rounds.get() >= rounds || workload.failure.get() != null);
    assertThat(workload.failure.get()).isNull();
  }

  private static List<Finding> disagreements() throws SQLException {
    return new LedgerVerification(sources.control()).run(LedgerLimits.DEFAULTS).findings();
  }

  // ---- the grid's protocols ----

  @TestFactory
  Stream<DynamicTest> aGridClientIsRefusedWhatNoInstanceDoes() {
    final Map<String, Runnable> requests =
        HostileRequests.of(hostile, account.toHex(), secrets, commandSchema(), RANDOM);
    return requests.entrySet().stream()
        .map(
            request ->
                DynamicTest.dynamicTest(
                    request.getKey(),
                    () -> {
                      final Throwable refusal = catchThrowable(request.getValue()::run);
                      // The gate says the first; what passes it fails to be read.
                      assertThat(rootOf(refusal))
                          .isInstanceOfAny(
                              SecurityException.class,
                              IllegalArgumentException.class,
                              IOException.class);
                      nothingCameOfIt();
                    }));
  }

  private static @Nullable Throwable rootOf(@Nullable Throwable failure) {
    Throwable root = failure;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static long commandSchema() {
    return ((HazelcastInstanceProxy) cluster.node(0).hazelcast())
        .getOriginal().node.getSchemaService().getAllSchemas().stream()
            .filter(schema -> schema.getTypeName().equals("tollgrid.ledger-command"))
            .mapToLong(Schema::getSchemaId)
            .findAny()
            .orElseThrow();
  }

  @Test
  void anOperatorCommandIsWorthNothingWithoutTheKey() {
    final OperatorKey guessed =
        new OperatorKey("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    for (final @Nullable OperatorKey key : new @Nullable OperatorKey[] {null, guessed}) {
      try (LedgerClient forger =
          new GridLedgerClient(
              hostile,
              LedgerClientSettings.defaults("forger"),
              key,
              new SystemClock(),
              new SimpleMeterRegistry())) {
        assertThat(
                new LedgerTalk(forger).ask(account, new LedgerCommand.Deposit(LedgerTalk.id(), 5)))
            .isEqualTo(new Outcome.Refused(Refusal.UNAUTHENTICATED, null));
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> bytesThatAreNoMessageEndTheirConnection() {
    final int port = cluster.config(0).cluster().member().port();
    final String name = cluster.config(0).cluster().name();
    final Map<String, byte[]> unauthenticated = new LinkedHashMap<>();
    for (int i = 0; i < 12; i++) {
      unauthenticated.put("noise " + i, noise("", 1 + RANDOM.nextInt(4_000)));
      unauthenticated.put("noise of a client " + i, noise("CP2", 64 + RANDOM.nextInt(4_000)));
      unauthenticated.put("noise of a member " + i, noise("HZC", 64 + RANDOM.nextInt(4_000)));
    }
    for (final int length : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 1 << 30}) {
      unauthenticated.put(
          "a client's frame of " + length, join("CP2", RawConnection.frameOf(length)));
      unauthenticated.put(
          "a member's packet of " + length, join("HZC", RawConnection.packetOf(length)));
    }
    unauthenticated.put(
        "HTTP", "GET /hazelcast/health HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    unauthenticated.put("memcache", "get ledgers:1\r\n".getBytes(StandardCharsets.US_ASCII));
    unauthenticated.put("TLS", new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3});
    final Stream<DynamicTest> strangers =
        unauthenticated.entrySet().stream()
            .map(
                bytes ->
                    raw(
                        bytes.getKey(),
                        () -> {
                          try (RawConnection connection = new RawConnection(port)) {
                            assertThat(connection.send(bytes.getValue()).isClosed()).isTrue();
                          }
                        }));
    final Stream<DynamicTest> clients =
        Stream.of(Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 30, (1 << 20) + 1)
            .map(
                length ->
                    raw(
                        "a frame of " + length + " of a client that authenticated",
                        () -> {
                          try (RawConnection connection =
                              new RawConnection(port).authenticate(name)) {
                            assertThat(connection.send(RawConnection.frameOf(length)).isClosed())
                                .isTrue();
                          }
                        }));
    return Stream.concat(strangers, clients);
  }

  private DynamicTest raw(String name, org.junit.jupiter.api.function.Executable test) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          test.execute();
          nothingCameOfIt();
        });
  }

  private static byte[] noise(String begin, int length) {
    final byte[] noise = new byte[length];
    RANDOM.nextBytes(noise);
    return join(begin, noise);
  }

  private static byte[] join(String begin, byte[] rest) {
    final byte[] first = begin.getBytes(StandardCharsets.US_ASCII);
    final byte[] all = new byte[first.length + rest.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(rest, 0, all, first.length, rest.length);
    return all;
  }

  @Test
  void thousandsWhoDoNotSayWhoTheyAreKeepNobodyOut() throws IOException {
    final int port = cluster.config(0).cluster().member().port();
    final List<RawConnection> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 2_000; i++) {
        silent.add(new RawConnection(port).send("C".repeat(i % 3)));
      }
      assertThat(silent.get(0).isClosed()).isTrue();
      assertThat(new LedgerTalk(cluster.remoteClient()).acquire(account, 1).units()).isEqualTo(1);
    } finally {
      silent.forEach(RawConnection::close);
    }
  }

  // ---- a process that has joined as a member ----

  @Test
  void staleMemoryIsFoundOutByTheNextAnswer() {
    final Id128 stale = talk.account(1_000);
    final IMap<String, LedgerEntry> ledgers = cluster.node(0).hazelcast().getMap(GridNames.LEDGERS);
    final LedgerEntry before = Objects.requireNonNull(ledgers.get(stale.toHex()));
    assertThat(talk.acquire(stale, 900).units()).isEqualTo(900);

    ledgers.putTransient(stale.toHex(), before, 0, TimeUnit.SECONDS);

    assertThat(talk.acquire(stale, 900).units()).isEqualTo(100);
  }

  @Test
  void forgedMemoryIsNamedByTheVerification() throws SQLException {
    final Id128 forged = talk.account(1_000);
    final IMap<String, LedgerEntry> ledgers = cluster.node(0).hazelcast().getMap(GridNames.LEDGERS);
    final LedgerEntry entry = Objects.requireNonNull(ledgers.get(forged.toHex()));
    final AccountLedger ledger = Objects.requireNonNull(entry.ledger());

    ledgers.putTransient(
        forged.toHex(),
        LedgerEntry.loaded(richer(ledger), entry.ownershipFence()),
        0,
        TimeUnit.SECONDS);
    FORGED.add(forged);
    final Outcome.Granted lease = talk.acquire(forged, 5_000);

    assertThat(lease.units()).isGreaterThan(1_000);
    assertThat(disagreements())
        .filteredOn(finding -> finding.account().equals(forged))
        .extracting(Finding::check)
        .contains("deposits", "replay");
  }

  private static AccountLedger richer(AccountLedger ledger) {
    final Balances books = ledger.balances();
    return new AccountLedger(
        ledger.id(),
        ledger.version(),
        ledger.asOfNanos(),
        new Balances(
            books.deposited() + 1_000_000,
            books.overage(),
            books.allowance(),
            books.topUp() + 1_000_000,
            books.outstanding(),
            books.billed(),
            books.lossResident(),
            books.lossArchived(),
            books.expired(),
            books.unfunded()),
        ledger.policy(),
        ledger.period(),
        ledger.nextFence(),
        ledger.active(),
        ledger.losses(),
        ledger.settled());
  }

  // ---- HTTP ----

  @TestFactory
  Stream<DynamicTest> hostileHttpIsRefused() {
    final int port = cluster.node(0).httpPort();
    final Map<String, byte[]> requests = new LinkedHashMap<>();
    for (int i = 0; i < 6; i++) {
      requests.put("noise " + i, noise("", 1 + RANDOM.nextInt(4_000)));
      requests.put("noise after GET " + i, noise("GET /", 64 + RANDOM.nextInt(4_000)));
    }
    requests.put(
        "a header of a megabyte",
        ascii("GET /readyz HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(1 << 20)));
    requests.put("a path of a megabyte", ascii("GET /" + "x".repeat(1 << 20)));
    requests.put(
        "a thousand headers",
        ascii("GET /readyz HTTP/1.1\r\nHost: a\r\n" + "X-A: 1234567\r\n".repeat(1_000) + "\r\n"));
    requests.put(
        "a body of a megabyte",
        ascii(
            "POST /readyz HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n"
                + "x".repeat(1 << 20)));
    requests.put(
        "chunks without end",
        ascii(
            "POST /readyz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "1000\r\n"
                + "x".repeat(4_096)
                + "\r\n"));
    requests.put(
        "two lengths",
        ascii(
            "GET /readyz HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"));
    requests.put("an endless first line", ascii("GET"));
    return requests.entrySet().stream()
        .map(
            request ->
                raw(
                    request.getKey(),
                    () -> {
                      try (RawConnection connection = new RawConnection(port)) {
                        connection.send(request.getValue());
                        assertThat(readiness().statusCode()).isEqualTo(200);
                      }
                    }));
  }

  @Test
  void silentHttpConnectionsKeepNoProbeOut() throws Exception {
    final List<RawConnection> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 1_000; i++) {
        silent.add(
            new RawConnection(cluster.node(0).httpPort()).send("GET /re".substring(0, i % 7)));
      }
      assertThat(silent.get(0).isClosed()).isTrue();
      assertThat(readiness().statusCode()).isEqualTo(200);
    } finally {
      silent.forEach(RawConnection::close);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static HttpResponse<String> readiness() throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + cluster.node(0).httpPort() + "/readyz"))
                .timeout(Duration.ofSeconds(20))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
