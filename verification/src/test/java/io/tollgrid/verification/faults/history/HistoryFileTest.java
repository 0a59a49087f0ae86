package io.tollgrid.verification.faults.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tollgrid.ledger.Evidence;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCode;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.Outcome;
import io.tollgrid.ledger.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Witnesses that a history holds what happened, also after its writer was killed (R40). */
class HistoryFileTest {
  private static final LedgerRequest DEPOSIT =
      new LedgerRequest(
          new Id128(1, 1), "recorder", 99, new LedgerCommand.Deposit(new Id128(2, 2), 7));
  private static final LedgerRequest CROSS =
      new LedgerRequest(new Id128(1, 2), "recorder", 99, new LedgerCommand.Cross());

  @TempDir private Path directory;
  private Path path;

  @BeforeEach
  void name() {
    path = directory.resolve("load-1.history");
  }

  @Test
  void whatWasWrittenIsRead() {
    final Outcome refused = new Outcome.Refused(Refusal.BALANCE_EXHAUSTED, new Evidence(0, 5, 3));
    try (HistoryWriter history = HistoryWriter.create(path)) {
      assertThat(history.submitted(DEPOSIT, 10)).isEqualTo(1);
      assertThat(history.submitted(CROSS, 11)).isEqualTo(2);
      assertThat(history.submitted(DEPOSIT, 12)).isEqualTo(3);
      history.answered(2, 20, refused, 4, 19);
      history.gaveUp(1, 21, LedgerCode.UNKNOWN, true);
    }

    assertThat(new HistoryFile(path).read("load-1"))
        .containsExactly(
            new Operation(
                "load-1", 1, 10, DEPOSIT, new Operation.GaveUp(21, LedgerCode.UNKNOWN, true)),
            new Operation("load-1", 2, 11, CROSS, new Operation.Answered(20, refused, 4, 19)),
            new Operation("load-1", 3, 12, DEPOSIT, null));
  }

  @Test
  void aRecordIsInTheFileWhenTheWriterReturnsFromIt() {
    try (HistoryWriter history = HistoryWriter.create(path)) {
      history.submitted(DEPOSIT, 10);

      assertThat(new HistoryFile(path).read("load-1")).hasSize(1);
    }
  }

  @Test
  void halfARecordAtTheEndIsLeftOut() throws IOException {
    write();
    final byte[] whole = Files.readAllBytes(path);
    for (int kept = 0; kept < whole.length; kept++) {
      Files.write(path, Arrays.copyOf(whole, kept));

      assertThat(new HistoryFile(path).read("load-1")).hasSizeLessThanOrEqualTo(2);
    }
    Files.write(path, Arrays.copyOf(whole, whole.length - 1));
    final List<Operation> read = new HistoryFile(path).read("load-1");
    assertThat(read).hasSize(2);
    assertThat(read.get(1).ending()).as("the record that was cut").isNull();
  }

  @Test
  void damageBeforeTheEndIsReported() throws IOException {
    write();
    final byte[] damaged = Files.readAllBytes(path);
    damaged[30] ^= 1;
    Files.write(path, damaged);

    assertThatThrownBy(() -> new HistoryFile(path).read("load-1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("damaged at byte 0");
  }

  @Test
  void anEndingWithoutABeginningIsReported() {
    try (HistoryWriter history = HistoryWriter.create(path)) {
      history.gaveUp(1, 21, LedgerCode.UNKNOWN, true);
    }

    assertThatThrownBy(() -> new HistoryFile(path).read("load-1"))
        .hasMessageContaining("without having begun it");
  }

  @Test
  void aHistoryIsNeverWrittenOver() throws IOException {
    Files.write(path, new byte[] {1}, StandardOpenOption.CREATE_NEW);

    assertThatThrownBy(() -> HistoryWriter.create(path)).hasMessageContaining("load-1.history");
  }

  private void write() {
    try (HistoryWriter history = HistoryWriter.create(path)) {
      history.submitted(DEPOSIT, 10);
      history.submitted(CROSS, 11);
      history.gaveUp(2, 12, LedgerCode.NO_FENCE, false);
    }
  }
}
