package io.tollgrid.verification.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Witnesses that faults which were not understood are not run. */
class FaultsCommandTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "faults",
        "faults --ledger --fleet",
        "faults --ledger --sweeps",
        "faults --sweeps --accounts 499",
        "faults --sweeps --accounts -1",
        "faults --sweeps --leases 4999",
        "faults --sweeps --plan-accounts 10000001",
        "faults --sweeps --accounts 0 --leases 0 --plan-accounts 0 --no-lanes",
        "faults --sweeps --no-runs",
        "faults --ingest --sweeps",
        "faults --ingest --events 9999",
        "faults --ingest --events 50000001",
        "faults --soak --fleet",
        "faults --soak --minutes 4",
        "faults --soak --minutes 1441",
        "faults --soak --no-lanes",
        "faults --fleet --lane none",
        "faults --ledger --lane takeover",
        "faults --fleet --lane takeover --no-lanes",
        "faults --runs 5 --plant none",
        "faults --plant all",
        "faults --runs 5 --plant all --results runs.jsonl",
        "faults --runs 0",
        "faults --runs 1001",
        "faults --runs 1 --fleet",
        "faults --runs 1 --quick",
        "faults --runs 1 --from -1",
        "faults --fleet --results runs.jsonl",
        "faults --ingest --quick",
        "faults --ingest --no-lanes --no-runs"
      })
  void whatCannotBeMeantIsBadUsage(String line) {
    final StringWriter err = new StringWriter();
    final CommandLine commandLine = VerificationCli.commandLine();
    commandLine.setOut(new PrintWriter(err, true)).setErr(new PrintWriter(err, true));

    assertThat(commandLine.execute(line.split(" ", -1))).as("%s", err).isEqualTo(2);
    assertThat(err.toString()).startsWith("tollgrid: ").hasLineCount(1);
  }
}
