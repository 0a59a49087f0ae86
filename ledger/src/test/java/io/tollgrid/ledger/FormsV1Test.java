package io.tollgrid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Witnesses that what version 1 stored stays readable (R16: receipts are stored, R23: the journal
 * is kept): each kept form reads as the value it was, and is written as the very bytes it was.
 */
class FormsV1Test {
  private static Path directory() throws URISyntaxException {
    return Path.of(
        Objects.requireNonNull(FormsV1Test.class.getClassLoader().getResource(FormsV1.DIRECTORY))
            .toURI());
  }

  private static byte[] kept(String name) throws IOException, URISyntaxException {
    return FormsV1.fromText(
        Files.readString(directory().resolve(name + ".hex"), StandardCharsets.US_ASCII));
  }

  @TestFactory
  Stream<DynamicTest> aKeptFormReadsAsItsValueAndIsWrittenAsItWas() {
    return FormsV1.all().entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey(),
                    () -> {
                      final byte[] bytes = kept(entry.getKey());
                      assertThat(entry.getValue().read(bytes)).isEqualTo(entry.getValue().value());
                      assertThat(entry.getValue().bytes()).isEqualTo(bytes);
                    }));
  }

  @Test
  void everyFileHasAValueAndEveryValueAFile() throws IOException, URISyntaxException {
    try (Stream<Path> files = Files.list(directory())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              FormsV1.all().keySet().stream().map(name -> name + ".hex").toList());
    }
  }

  @Test
  void everyKindOfCommandOutcomeRowAndKeyIsKept() {
    assertThat(classes(FormsV1.commands().values().stream()))
        .isEqualTo(SealedTypes.leavesOf(LedgerCommand.class));
    assertThat(classes(FormsV1.outcomes().values().stream()))
        .isEqualTo(SealedTypes.leavesOf(Outcome.class));
    assertThat(classes(FormsV1.rows().values().stream().flatMap(row -> row.row().stream())))
        .isEqualTo(SealedTypes.leavesOf(StoredRow.class));
    assertThat(classes(FormsV1.rows().values().stream().map(FormsV1.Row::key)))
        .isEqualTo(SealedTypes.leavesOf(RowKey.class));
    assertThat(
            FormsV1.outcomes().values().stream()
                .filter(Outcome.Refused.class::isInstance)
                .map(outcome -> ((Outcome.Refused) outcome).reason()))
        .containsExactlyInAnyOrder(Refusal.values());
  }

  private static Set<Class<?>> classes(Stream<?> values) {
    return values.map(Object::getClass).collect(Collectors.toSet());
  }

  @Test
  void aBodyHashStaysWhatItWas() {
    final LedgerRequest deposit = (LedgerRequest) FormsV1.all().get("command-deposit").value();

    assertThat(LedgerCodec.bodyHash(deposit).toHex()).isEqualTo("cac840814daff671591ac1fe8e2d6a9c");
  }

  @Test
  void theOrderOfStoredConstantsStaysWhatItWas() {
    assertOrder(AccountStatus.values(), "ACTIVE SUSPENDED CLOSED");
    assertOrder(CapacityClass.values(), "BEST_EFFORT ASSURED");
    assertOrder(EnforcementMode.values(), "STRICT ELASTIC");
    assertOrder(LegRole.values(), "BILLING CAP");
    assertOrder(LeaseState.values(), "ACTIVE LOSS ARCHIVED SETTLED");
    assertOrder(LeaseStep.Kind.values(), "RETURN RENEW RELEASE");
    assertOrder(BudgetSchedule.Kind.values(), "DAY WEEK MONTH");
    assertOrder(LedgerCommand.SetSchedule.Effective.values(), "BOUNDARY NOW");
    assertOrder(Effects.FundingEntry.Source.values(), "TOP_UP ALLOWANCE CREDIT");
    assertOrder(
        UsageVerdict.values(),
        "LEASED STRAGGLER OVERAGE UNFUNDED DUPLICATE NO_SUCH_LEASE BEYOND_LEASE BEYOND_LOSS"
            + " OVERAGE_FORBIDDEN REQUEST_ID_TOO_OLD REQUEST_ID_INVALID USAGE_OVERFLOW"
            + " UNKNOWN_ACCOUNT");
    assertOrder(
        Refusal.values(),
        "UNKNOWN_ACCOUNT ALREADY_EXISTS CONFLICT EXPIRED UNAUTHENTICATED ACCOUNT_SUSPENDED"
            + " ACCOUNT_CLOSED BALANCE_EXHAUSTED BALANCE_INSUFFICIENT TOO_MANY_LEASES TTL_TOO_LONG"
            + " CAPABILITY LEASE_ENDED STEP_GAP STEP_SUPERSEDED BEYOND_LEASE NOT_BILLED"
            + " BEYOND_BILLED NO_SCHEDULE NOTHING_DUE NOT_DUE BALANCE_OVERFLOW");
  }

  private static void assertOrder(Enum<?>[] constants, String stored) {
    assertThat(Arrays.stream(constants).map(Enum::name))
        .as("stored constants may only be appended")
        .startsWith(stored.split(" "));
  }
}
