package io.tollgrid.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One value of everything that has a stored form, as version 1 writes it.
 *
 * <p>The bytes are kept in {@code src/test/resources/forms/v1} and are never written again: a later
 * version must still read them as these very values. {@link #main} writes those of a value that is
 * new here, and none that exists.
 */
final class FormsV1 {
  static final String DIRECTORY = "forms/v1";

  private static final Id128 ACCOUNT = new Id128(0xA0A1A2A3A4A5A6A7L, 0xA8A9AAABACADAEAFL);
  private static final Id128 COMMAND = new Id128(0xC0C1C2C3C4C5C6C7L, 0xC8C9CACBCCCDCECFL);
  private static final Id128 LEASE = new Id128(0x1011121314151617L, 0x18191A1B1C1D1E1FL);
  private static final Id128 OLD_LEASE = new Id128(0x2021222324252627L, 0x28292A2B2C2D2E2FL);
  private static final Id128 HOLDER = new Id128(0x3031323334353637L, 0x38393A3B3C3D3E3FL);
  private static final Id128 REQUEST = Id128.timeOrdered(0x019C_1111_2222L, 0x333, 0x4444);
  private static final Id128 WRITER = new Id128(0x5051525354555657L, 0x58595A5B5C5D5E5FL);
  private static final Id128 KEY = new Id128(0x6061626364656667L, 0x68696A6B6C6D6E6FL);
  private static final Bits256 REVISION =
      new Bits256(
          0x7071727374757677L, 0x78797A7B7C7D7E7FL, 0x8081828384858687L, 0x88898A8B8C8D8E8FL);
  private static final long TIME = 1_772_625_600_000_000_001L;

  private static final AccountTerms ELASTIC =
      new AccountTerms(EnforcementMode.ELASTIC, 500, new RateLimits(10, 20, 3_000, 4_000), 64);
  private static final BudgetSchedule MONTHLY =
      new BudgetSchedule(BudgetSchedule.Kind.MONTH, "Europe/Vienna", 31, 40_000);
  private static final BudgetSchedule WEEKLY =
      new BudgetSchedule(BudgetSchedule.Kind.WEEK, "UTC", 1, 7);
  private static final GrantPolicy POLICY = new GrantPolicy(16, 900, 2, 1L << 40);
  private static final LeaseStep STEP =
      new LeaseStep(3, LeaseStep.Kind.RELEASE, 70, 50, 20, 5, TIME + 9);
  private static final Evidence EVIDENCE = new Evidence(123, TIME + 77, 42);

  private static final Lease ACTIVE =
      new Lease(
          LEASE,
          HOLDER,
          7,
          COMMAND,
          2,
          60,
          40,
          10,
          5,
          20,
          0,
          LeaseState.ACTIVE,
          TIME,
          TIME + 5,
          15,
          0,
          null);
  private static final Lease LOST =
      new Lease(
          OLD_LEASE,
          HOLDER,
          6,
          COMMAND,
          1,
          60,
          40,
          10,
          5,
          20,
          65,
          LeaseState.LOSS,
          TIME,
          TIME,
          15,
          TIME + 8,
          STEP);
  private static final Lease SETTLED =
      new Lease(
          KEY,
          HOLDER,
          5,
          COMMAND,
          1,
          60,
          40,
          0,
          0,
          100,
          0,
          LeaseState.SETTLED,
          TIME,
          TIME,
          15,
          TIME + 8,
          STEP);

  private FormsV1() {}

  /**
   * A value with its form.
   *
   * @param value the value
   * @param encode how it is written today
   * @param decode how it is read today
   */
  record Form(Object value, Function<Object, byte[]> encode, Function<byte[], Object> decode) {
    byte[] bytes() {
      return encode.apply(value);
    }

    Object read(byte[] bytes) {
      return decode.apply(bytes);
    }
  }

  /** Everything, by the name of its file. */
  static Map<String, Form> all() {
    final Map<String, Form> forms = new LinkedHashMap<>();
    commands().forEach((name, command) -> forms.put("command-" + name, request(command)));
    outcomes().forEach((name, outcome) -> forms.put("outcome-" + name, outcome(outcome)));
    rows().forEach((name, row) -> forms.put("row-" + name, rows(Map.of(row.key(), row.row()))));
    forms.put(
        "request-with-rows",
        new Form(
            requestOf(new LedgerCommand.Deposit(COMMAND, 5)).withRows(allRows()),
            value -> LedgerCodec.encodeRequest((LedgerRequest) value),
            LedgerCodec::decodeRequest));
    forms.put("rows", rows(allRows()));
    forms.put("keys", keys(rows().values().stream().map(Row::key).toList()));
    forms.put(
        "deliveries",
        new Form(
            events().stream().map(event -> new UsageDelivery(ACCOUNT, event)).toList(),
            value -> LedgerCodec.encodeDeliveries(deliveries(value)),
            LedgerCodec::decodeDeliveries));
    forms.put("ledger-new", ledger(created()));
    forms.put("ledger-full", ledger(full()));
    return forms;
  }

  private static List<UsageDelivery> deliveries(Object value) {
    return ((List<?>) value).stream().map(UsageDelivery.class::cast).toList();
  }

  static Map<String, LedgerCommand> commands() {
    final Map<String, LedgerCommand> commands = new LinkedHashMap<>();
    commands.put(
        "create",
        new LedgerCommand.Create(COMMAND, AccountStatus.SUSPENDED, CapacityClass.ASSURED, ELASTIC));
    commands.put("deposit", new LedgerCommand.Deposit(COMMAND, 123_456_789_012_345L));
    commands.put("credit", new LedgerCommand.Credit(COMMAND, REQUEST, 2, 99));
    commands.put(
        "set-schedule",
        new LedgerCommand.SetSchedule(COMMAND, MONTHLY, LedgerCommand.SetSchedule.Effective.NOW));
    commands.put(
        "set-schedule-clear",
        new LedgerCommand.SetSchedule(COMMAND, null, LedgerCommand.SetSchedule.Effective.BOUNDARY));
    commands.put("set-status", new LedgerCommand.SetStatus(COMMAND, AccountStatus.CLOSED));
    commands.put(
        "set-capacity-class",
        new LedgerCommand.SetCapacityClass(COMMAND, CapacityClass.BEST_EFFORT));
    commands.put("set-terms", new LedgerCommand.SetTerms(COMMAND, AccountTerms.STRICT));
    commands.put("acquire", new LedgerCommand.Acquire(LEASE, HOLDER, POLICY, 60_000, 17));
    commands.put(
        "consolidate",
        new LedgerCommand.Consolidate(LEASE, HOLDER, OLD_LEASE, 6, 31, POLICY, 60_000, 17));
    commands.put("return", new LedgerCommand.Return(LEASE, 7, 1, 12));
    commands.put("renew", new LedgerCommand.Renew(LEASE, 7, 2, 60_000));
    commands.put("release", new LedgerCommand.Release(LEASE, 7, 3, 44));
    commands.put("record-usage", new LedgerCommand.RecordUsage(events()));
    commands.put("reclaim", new LedgerCommand.Reclaim(TIME));
    commands.put("cross", new LedgerCommand.Cross());
    return commands;
  }

  private static List<UsageEvent> events() {
    return List.of(
        new UsageEvent(
            REQUEST,
            0,
            LegRole.BILLING,
            new Funding.Leased(LEASE, 7),
            30,
            1,
            List.of(new MeterUnits("tokens", 20), new MeterUnits("für Bilder 🪙", 10)),
            KEY,
            REVISION,
            TIME,
            WRITER,
            1),
        new UsageEvent(
            REQUEST,
            1,
            LegRole.CAP,
            new Funding.Overage(),
            4,
            250,
            List.of(),
            Id128.ZERO,
            Bits256.ZERO,
            TIME,
            WRITER,
            2),
        new UsageEvent(
            REQUEST,
            2,
            LegRole.BILLING,
            new Funding.Unfunded(),
            0,
            1,
            List.of(),
            KEY,
            REVISION,
            TIME,
            WRITER,
            3));
  }

  static Map<String, Outcome> outcomes() {
    final Map<String, Outcome> outcomes = new LinkedHashMap<>();
    outcomes.put("granted", new Outcome.Granted(LEASE, 7, 100, TIME, 31, EVIDENCE));
    outcomes.put("granted-again", new Outcome.Granted(LEASE, 7, 100, TIME, 0, null));
    outcomes.put("stepped", new Outcome.Stepped(LEASE, STEP));
    final List<UsageVerdict> verdicts = List.of(UsageVerdict.values());
    outcomes.put("usage-recorded", new Outcome.UsageRecorded(verdicts.subList(0, 12)));
    outcomes.put(
        "usage-recorded-of-nobody",
        new Outcome.UsageRecorded(verdicts.subList(12, verdicts.size())));
    outcomes.put("funded", new Outcome.Funded(5, 43));
    outcomes.put("changed", new Outcome.Changed(4, 44));
    outcomes.put("reclaimed", new Outcome.Reclaimed(256, 1_000, true));
    outcomes.put("crossed", new Outcome.Crossed(3, 45));
    for (final Refusal reason : Refusal.values()) {
      outcomes.put(
          "refused-" + reason.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'),
          new Outcome.Refused(
              reason,
              reason == Refusal.BALANCE_EXHAUSTED || reason == Refusal.BALANCE_INSUFFICIENT
                  ? EVIDENCE
                  : null));
    }
    outcomes.put(
        "needs-rows",
        new Outcome.NeedsRows(
            Set.of(
                new RowKey.UsageKey(REQUEST, 2),
                new RowKey.LeaseKey(OLD_LEASE),
                new RowKey.LeaseKey(LEASE))));
    outcomes.put("outdated", new Outcome.Outdated());
    return outcomes;
  }

  /**
   * A row under its key.
   *
   * @param key the key
   * @param row the row, or empty for "there is none"
   */
  record Row(RowKey key, Optional<StoredRow> row) {
    Row(RowKey key, StoredRow row) {
      this(key, Optional.of(row));
    }
  }

  static Map<String, Row> rows() {
    final Map<String, Row> rows = new LinkedHashMap<>();
    rows.put("lease", new Row(new RowKey.LeaseKey(OLD_LEASE), new StoredRow.LeaseRow(LOST)));
    rows.put(
        "command",
        new Row(
            new RowKey.CommandKey(COMMAND),
            new StoredRow.CommandRow(HOLDER, new Outcome.Funded(5, 43))));
    rows.put(
        "usage",
        new Row(
            new RowKey.UsageKey(REQUEST, 1),
            new StoredRow.UsageRow(UsageVerdict.STRAGGLER, 30, WRITER, 9, 4)));
    rows.put(
        "delivery",
        new Row(
            new RowKey.DeliveryKey(WRITER, 10),
            new StoredRow.RejectedRow(UsageVerdict.BEYOND_LEASE)));
    rows.put("absent", new Row(new RowKey.DeliveryKey(WRITER, 11), Optional.empty()));
    return rows;
  }

  private static Map<RowKey, Optional<StoredRow>> allRows() {
    final Map<RowKey, Optional<StoredRow>> all = new LinkedHashMap<>();
    rows().values().forEach(row -> all.put(row.key(), row.row()));
    return all;
  }

  private static AccountLedger created() {
    return new AccountLedger(
        ACCOUNT,
        1,
        TIME,
        Balances.ZERO,
        new AccountPolicy(
            1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT, false),
        Period.UNSCHEDULED,
        1,
        List.of(),
        List.of(),
        List.of());
  }

  private static AccountLedger full() {
    return new AccountLedger(
        ACCOUNT,
        44,
        TIME,
        new Balances(400, 7, 30, 40, 65, 127, 65, 50, 30, 11),
        new AccountPolicy(5, AccountStatus.CLOSED, CapacityClass.ASSURED, ELASTIC, true),
        new Period(
            2,
            TIME + 77,
            MONTHLY,
            new Period.ScheduleChange(WEEKLY),
            new Period.FundedStarts(20_500, Long.MIN_VALUE, 20_454)),
        8,
        List.of(ACTIVE),
        List.of(LOST),
        List.of(SETTLED));
  }

  private static LedgerRequest requestOf(LedgerCommand command) {
    return new LedgerRequest(ACCOUNT, "operator zoë", TIME, command);
  }

  private static Form request(LedgerCommand command) {
    return new Form(
        requestOf(command),
        value -> LedgerCodec.encodeRequest((LedgerRequest) value),
        LedgerCodec::decodeRequest);
  }

  private static Form outcome(Outcome outcome) {
    return new Form(
        outcome, value -> LedgerCodec.encodeOutcome((Outcome) value), LedgerCodec::decodeOutcome);
  }

  private static Form ledger(AccountLedger ledger) {
    return new Form(
        ledger,
        value -> LedgerCodec.encodeLedger((AccountLedger) value),
        LedgerCodec::decodeLedger);
  }

  @SuppressWarnings("unchecked")
  private static Form rows(Map<RowKey, Optional<StoredRow>> rows) {
    return new Form(
        rows,
        value -> LedgerCodec.encodeRows((Map<RowKey, Optional<StoredRow>>) value),
        LedgerCodec::decodeRows);
  }

  @SuppressWarnings("unchecked")
  private static Form keys(List<RowKey> keys) {
    return new Form(
        keys, value -> LedgerCodec.encodeKeys((List<RowKey>) value), LedgerCodec::decodeKeys);
  }

  /** Bytes as text: 32 to a line. */
  static String toText(byte[] bytes) {
    final String hex = HexFormat.of().formatHex(bytes);
    final List<String> lines = new ArrayList<>();
    for (int from = 0; from < hex.length(); from += 64) {
      lines.add(hex.substring(from, Math.min(hex.length(), from + 64)));
    }
    return String.join("\n", lines) + "\n";
  }

  static byte[] fromText(String text) {
    return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
  }

  /** Writes the bytes of values that have no file yet into the directory given. */
  public static void main(String[] args) {
    final Path directory = Path.of(args[0]);
    all()
        .forEach(
            (name, form) -> {
              final Path file = directory.resolve(name + ".hex");
              try {
                if (!Files.exists(file)) {
                  Files.writeString(file, toText(form.bytes()), StandardCharsets.US_ASCII);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }
}
