package io.tollgrid.admission.denial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Witnesses R33 and R32: numbers, labels, retry classes and statuses are a stable contract. */
class DenialContractTest {

  /** Append only. A changed line is a broken client somewhere. */
  private static final String CONTRACT =
      """
      ADMISSION 0 UNKNOWN_PRINCIPAL NEVER 401 16
      ADMISSION 1 PRINCIPAL_REVOKED NEVER 401 16
      ADMISSION 2 ACCOUNT_SUSPENDED NEVER 403 7
      ADMISSION 3 ACCOUNT_CLOSED NEVER 403 7
      ADMISSION 4 SNAPSHOT_STALE TRANSIENT 503 14
      ADMISSION 5 ROUTE_FORBIDDEN NEVER 403 7
      ADMISSION 6 WORK_FORBIDDEN NEVER 403 7
      ADMISSION 7 UNKNOWN_OPERATION NEVER 422 3
      ADMISSION 8 TOO_MANY_ITEMS NEVER 422 3
      ADMISSION 9 COST_OVERFLOW NEVER 422 3
      ADMISSION 10 UNMETERED NEVER 403 7
      ADMISSION 11 USAGE_QUEUE_FULL TRANSIENT 503 14
      ADMISSION 12 UNPRICEABLE_UNDER_LIMITS NEVER 422 3
      ADMISSION 13 REQUEST_RATE_LIMITED AFTER 429 8
      ADMISSION 14 RATE_LIMITED AFTER 429 8
      ADMISSION 15 PRINCIPAL_CONCURRENCY TRANSIENT 429 8
      ADMISSION 16 ACCOUNT_CONCURRENCY TRANSIENT 429 8
      ADMISSION 17 NO_LEASE TRANSIENT 503 14
      ADMISSION 18 LEASE_EXPIRED TRANSIENT 503 14
      ADMISSION 19 INSUFFICIENT_LEASE TRANSIENT 503 14
      ADMISSION 20 BALANCE_INSUFFICIENT NEVER 402 9
      ADMISSION 21 BALANCE_EXHAUSTED NEVER 402 9
      ADMISSION 22 OVERAGE_EXHAUSTED TRANSIENT 503 14
      ADMISSION 23 OVERAGE_TEMPORARILY_EXHAUSTED TRANSIENT 503 14
      ADMISSION 24 OVERAGE_COMMIT_IN_PROGRESS AFTER_IN_FLIGHT 503 10
      ADMISSION 25 LEG_CONFLICT TRANSIENT 503 10
      ADMISSION 26 SHUTTING_DOWN TRANSIENT 503 14
      START 0 CAPACITY_SHED TRANSIENT 503 14
      START 1 LAPSED TRANSIENT 503 14
      START 2 OVERAGE_EXHAUSTED TRANSIENT 503 14
      START 3 OVERAGE_TEMPORARILY_EXHAUSTED TRANSIENT 503 14
      START 4 OVERAGE_COMMIT_IN_PROGRESS AFTER_IN_FLIGHT 503 10
      START 5 CANCELLED TRANSIENT 503 1
      """;

  @Test
  void theTableIsExactlyTheContract() {
    final String table =
        Arrays.stream(Denial.values())
            .map(
                denial ->
                    String.join(
                        " ",
                        denial.stage().name(),
                        Integer.toString(denial.number()),
                        denial.label(),
                        denial.retry().name(),
                        Integer.toString(denial.httpStatus()),
                        Integer.toString(denial.grpcStatus())))
            .collect(Collectors.joining("\n", "", "\n"));

    assertThat(table).isEqualTo(CONTRACT);
  }

  @Test
  void onlyNeverIsFinal() {
    for (final Denial denial : Denial.values()) {
      assertThat(denial.isFinal()).as(denial.name()).isEqualTo(denial.retry() == RetryClass.NEVER);
    }
  }
}
