package io.tollgrid.node.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.grid.LedgerClient;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.grid.usage.GridUsageInbox;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.UsageVerdict;
import io.tollgrid.mapstore.database.PostgresAddress;
import io.tollgrid.node.local.AccountBooks;
import io.tollgrid.node.local.LocalSystem;
import io.tollgrid.node.testing.LedgerTalk;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R20 and R43 for bulk sources, on one node with a real PostgreSQL: good lines are billed
 * once however often they are loaded, and every other line changes nothing and is named.
 */
@Tag("slow")
class UsageLoadTest {
  private static final RandomIds IDS = new RandomIds();
  private static final SystemClock CLOCK = new SystemClock();

  private static LocalSystem system;
  private static GridUsageInbox inbox;
  private static LedgerClient client;
  private static LedgerTalk talk;

  private final List<LineFault> faults = new ArrayList<>();
  private long lastRead;

  @BeforeAll
  static void start() {
    system = LocalSystem.throwAway();
    inbox = new GridUsageInbox(system.node().hazelcast(), Duration.ofSeconds(5));
    client = system.node().newLedgerClient("test");
    talk = new LedgerTalk(client);
  }

  @AfterAll
  static void stop() {
    client.close();
    inbox.close();
    system.close();
  }

  @Test
  void goodLinesAreBilledOnceAndEveryOtherLineIsNamedAndChangesNothing() throws Exception {
    final Id128 strict = talk.account(100);
    final Outcome.Granted lease = talk.acquire(strict, 50);
    final Id128 elastic = elastic();
    final Id128 nobody = LedgerTalk.id();
    final Id128 untouched = talk.account(7);
    final List<Id128> all = List.of(strict, elastic, untouched);
    final String leased =
        ",\"funding\":{\"lease\":\"" + lease.leaseId() + "\",\"fence\":" + lease.fence() + "}";
    final String old = IDS.timeOrderedId(CLOCK.nowNanos() - days(401)).toHex();
    final String ahead = IDS.timeOrderedId(CLOCK.nowNanos() + days(2)).toHex();
    final List<String> good =
        List.of(
            line(strict, request(), 30, leased + ",\"meters\":{\"out\":20,\"in\":10}"),
            line(elastic, request(), 20, ""),
            line(elastic, request(), 5, ",\"funding\":\"unfunded\",\"requests\":9"),
            "{\"account\":\""
                + strict
                + "\",\"source\":\"s\",\"id\":\"1\",\"units\":0,\"time\":\""
                + Instant.now()
                + "\""
                + leased
                + "}");
    final Lines mixed =
        new Lines()
            .add(good.get(0))
            .bad("not-utf-8", new byte[] {'{', '"', (byte) 0xff, '"', '}'})
            .bad("line-too-long", "x".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII))
            .bad("invalid-id", line(elastic, "not-an-id", 1, ""))
            .bad("invalid-id", line(elastic, elastic.toHex().toUpperCase(Locale.ROOT), 1, ""))
            .add(good.get(1))
            .bad("out-of-range", line(elastic, request(), -1, ""))
            .bad(
                "out-of-range",
                line(elastic, request(), 1, "").replace(":1}", ":9223372036854775808}"))
            .bad("empty-line", "")
            .bad("not-json", "}{")
            .bad("REQUEST_ID_TOO_OLD", line(elastic, old, 1, ""))
            .bad("REQUEST_ID_INVALID", line(elastic, ahead, 1, ""))
            .bad("UNKNOWN_ACCOUNT", line(nobody, request(), 1, ""))
            .bad("OVERAGE_FORBIDDEN", line(strict, request(), 1, ""))
            .bad("BEYOND_LEASE", line(strict, request(), 21, leased))
            .bad(
                "NO_SUCH_LEASE",
                line(strict, request(), 1, leased.replace(":" + lease.fence() + "}", ":999}")))
            .bad("USAGE_OVERFLOW", line(elastic, request(), Long.MAX_VALUE, ""))
            .add(good.get(2))
            .add(good.get(3));
    final AccountBooks before = books(all);

    final LoadReport report = load(mixed.bytes());

    assertThat(faults)
        .extracting(fault -> fault.line() + " " + fault.code())
        .containsExactlyInAnyOrderElementsOf(mixed.expected);
    assertThat(report.lines()).isEqualTo(19).isEqualTo(lastRead);
    assertThat(report.malformed()).isEqualTo(8);
    assertThat(report.events()).isEqualTo(11);
    assertThat(report.accepted()).isEqualTo(4);
    assertThat(report.verdicts())
        .containsEntry(UsageVerdict.LEASED, 2L)
        .containsEntry(UsageVerdict.OVERAGE, 1L);
    assertThat(report.duplicates()).isEqualTo(new LoadReport.Duplicates(0, 0));
    assertThat(report.units().billed()).isEqualTo(50);
    assertThat(report.units().unfunded()).isEqualTo(5);
    assertThat(report.units().rejected())
        .isEqualTo(BigInteger.valueOf(Long.MAX_VALUE).add(BigInteger.valueOf(26)));
    assertThat(report.good()).isFalse();
    final AccountBooks after = books(all);
    assertThat(after.billed() - before.billed()).isEqualTo(50);
    assertThat(after.overage() - before.overage()).isEqualTo(20);
    assertThat(after.unfunded() - before.unfunded()).isEqualTo(5);
    assertThat(after.balance()).isEqualTo(before.balance());
    assertThat(after.exact()).isTrue();
    assertThat(books(List.of(untouched)).billed()).isZero();
    assertThat(rows("usage_event", strict, elastic, nobody)).isEqualTo(4);
    assertThat(rows("usage_rejected", strict, elastic)).isEqualTo(6);
    assertThat(rows("usage_rejected", nobody)).isEqualTo(1);

    faults.clear();
    final LoadReport again = load(new Lines().add(good).bytes());
    assertThat(again.duplicates()).isEqualTo(new LoadReport.Duplicates(4, 0));
    assertThat(again.units().duplicate()).isEqualTo(55);
    assertThat(again.good()).isTrue();
    assertThat(faults).isEmpty();
    assertThat(books(all)).isEqualTo(after);
  }

  @Test
  void theSameIdWithAnotherPayloadIsADuplicateCountedApart() throws Exception {
    final Id128 account = elastic();
    final String request = request();
    final String line = line(account, request, 8, ",\"meters\":{\"a\":3,\"b\":5}");

    final LoadReport report =
        load(
            new Lines()
                .add(line)
                .add(line(account, request, 8, ",\"meters\":{\"b\":5,\"a\":3}"))
                .add(line(account, request, 9, ""))
                .add(line(account, request, 8, ",\"role\":\"cap\""))
                .add(line(account, request, 1, ",\"part\":1"))
                .bytes());

    assertThat(report.accepted()).isEqualTo(2);
    assertThat(report.duplicates()).isEqualTo(new LoadReport.Duplicates(1, 2));
    assertThat(report.good()).isFalse();
    assertThat(faults)
        .extracting(fault -> fault.line() + " " + fault.code())
        .containsExactly("3 duplicate-differs", "4 duplicate-differs");
    assertThat(books(List.of(account)).billed()).isEqualTo(9);
  }

  @Test
  void inputThatBreaksOffIsLoadedSoFarAndSaidToBeBroken() throws Exception {
    final Id128 account = elastic();
    final InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream(new Lines().add(line(account, request(), 3, "")).bytes()),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("the disk is gone");
              }

              @Override
              public int read(byte[] into, int offset, int length) throws IOException {
                return read();
              }
            });

    assertThatThrownBy(() -> run(broken))
        .isInstanceOf(UnreadableInputException.class)
        .hasMessageContaining("line 2 cannot be read: the disk is gone");
    assertThat(books(List.of(account)).billed()).isEqualTo(3);
  }

  @Test
  void moreThanMayBeWithoutAnAnswerIsLoadedAndComparedInPieces() throws Exception {
    final Id128 account = elastic();
    final Lines lines = new Lines();
    for (int i = 0; i < 20_000; i++) {
      lines.add(line(account, request(), 1, ""));
    }

    assertThat(load(lines.bytes()).accepted()).isEqualTo(20_000);
    final LoadReport twice = load(new Lines().add(lines).add(lines).bytes());
    assertThat(twice.duplicates()).isEqualTo(new LoadReport.Duplicates(40_000, 0));
    assertThat(books(List.of(account)).billed()).isEqualTo(20_000);
  }

  @Test
  void theExampleOfTheDocumentationIsLoaded() throws Exception {
    final Id128 account = elastic();
    final Outcome.Granted lease = talk.acquire(account, 500);
    final List<String> example = DocumentedExample.lines();
    final Lines lines = new Lines();
    for (final String line : example) {
      lines.add(
          line.replace(DocumentedExample.ACCOUNT, account.toHex())
              .replace(DocumentedExample.LEASE, lease.leaseId().toHex())
              .replace("\"fence\":12", "\"fence\":" + lease.fence())
              .replaceAll("\"request\":\"[0-9a-f]{32}\"", "\"request\":\"" + request() + "\"")
              .replaceAll(
                  "\"time\":\"2026-03-01T",
                  "\"time\":\"" + Instant.now().toString().substring(0, 11)));
    }

    final LoadReport report = load(lines.bytes());

    assertThat(faults).isEmpty();
    assertThat(report.accepted()).isEqualTo(example.size()).isGreaterThanOrEqualTo(3);
  }

  private LoadReport load(byte[] input) throws Exception {
    return run(new ByteArrayInputStream(input));
  }

  private LoadReport run(InputStream in) throws Exception {
    return new UsageLoad(inbox, system.node().recordedUsage(), CLOCK, IDS, Duration.ofMinutes(1))
        .run(
            in,
            new UsageLoad.Listener() {
              @Override
              public void fault(LineFault fault) {
                faults.add(fault);
              }

              @Override
              public void read(long lines) {
                lastRead = lines;
              }
            });
  }

  /** Lines, and what is expected of those that are not accepted. */
  private static final class Lines {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<String> expected = new ArrayList<>();
    private int count;

    Lines add(String line) {
      return add(line.getBytes(StandardCharsets.UTF_8));
    }

    Lines add(List<String> lines) {
      lines.forEach(this::add);
      return this;
    }

    Lines add(Lines lines) {
      bytes.writeBytes(lines.bytes());
      count += lines.count;
      return this;
    }

    Lines bad(String code, String line) {
      return bad(code, line.getBytes(StandardCharsets.UTF_8));
    }

    Lines bad(String code, byte[] line) {
      add(line);
      expected.add(count + " " + code);
      return this;
    }

    private Lines add(byte[] line) {
      bytes.writeBytes(line);
      bytes.write('\n');
      count++;
      return this;
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }
  }

  private static String line(Id128 account, String request, long units, String more) {
    return "{\"account\":\""
        + account
        + "\",\"request\":\""
        + request
        + "\""
        + more
        + ",\"units\":"
        + units
        + "}";
  }

  private static String request() {
    return IDS.timeOrderedId(CLOCK.nowNanos()).toHex();
  }

  private static long days(int howMany) {
    return Duration.ofDays(howMany).toNanos();
  }

  private static Id128 elastic() {
    final Id128 account = LedgerTalk.id();
    for (final LedgerCommand command :
        List.of(
            new LedgerCommand.Create(
                LedgerTalk.id(),
                AccountStatus.ACTIVE,
                CapacityClass.BEST_EFFORT,
                AccountTerms.elastic(1_000_000)),
            new LedgerCommand.Deposit(LedgerTalk.id(), 1_000))) {
      assertThat(talk.ask(account, command)).isInstanceOf(Outcome.Applied.class);
    }
    return account;
  }

  private static AccountBooks books(List<Id128> accounts) throws Exception {
    return AccountBooks.read(system.node().database(), accounts);
  }

  private static long rows(String table, Id128... accounts) throws Exception {
    final PostgresAddress database = system.node().database();
    try (Connection connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM "
                    + table
                    + " WHERE account IN ('"
                    + String.join("','", List.of(accounts).stream().map(Id128::toHex).toList())
                    + "')")) {
      row.next();
      return row.getLong(1);
    }
  }
}
