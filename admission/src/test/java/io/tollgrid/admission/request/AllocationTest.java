package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.snapshot.Publication;
import io.tollgrid.admission.snapshot.SnapshotMap;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.EnforcementMode;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.RateLimits;
import io.tollgrid.ledger.policy.Billing;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Witnesses R27: after warm-up the request path allocates nothing, counted in bytes of this very
 * thread, with escape analysis and, in a process of its own, without it.
 */
class AllocationTest {
  private static final int WARM_UP = 20_000;
  private static final int CYCLES = 5_000;
  private static final int WINDOWS = 8;
  private static final long NOW = 1_700_000_000_000_000_000L;
  private static final Id128 FUNDED = new Id128(1, 1);
  private static final Id128 ELASTIC = new Id128(1, 2);
  private static final Id128 UNKNOWN = new Id128(1, 3);

  /** Both rates and a ceiling, none of which is ever reached. */
  private static final AccountTerms LIMITED =
      new AccountTerms(
          EnforcementMode.STRICT,
          0,
          new RateLimits(1L << 40, 1L << 40, 1L << 40, Long.MAX_VALUE >> 3),
          100);

  @Test
  void theRequestPathAllocatesNothing() {
    assertThat(bytesOf(new FullPath())).isZero();
  }

  @Test
  void theMeterSeesOneObjectPerCycle() {
    final FullPath path = new FullPath();

    final long bytes =
        bytesOf(
            () -> {
              path.run();
              path.kept = new long[2];
            });

    assertThat(bytes).isGreaterThanOrEqualTo(32L * CYCLES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:-DoEscapeAnalysis", "-XX:TieredStopAtLevel=1"})
  @Timeout(120)
  void norDoesItWithoutEscapeAnalysis(final String option) throws Exception {
    assertThat(inAnotherJvm(option, "path")).isEqualTo("0");
    assertThat(Long.parseLong(inAnotherJvm(option, "control")))
        .isGreaterThanOrEqualTo(32L * CYCLES);
  }

  private static String inAnotherJvm(final String option, final String what)
      throws IOException, InterruptedException {
    final List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(option);
    command.add("-Xshare:auto");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(AllocationTest.class.getName());
    command.add(what);
    final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    final String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /** Prints the bytes of a window. */
  public static void main(final String[] args) {
    final FullPath path = new FullPath();
    final Runnable cycle =
        args[0].equals("control")
            ? () -> {
              path.run();
              path.kept = new long[2];
            }
            : path;
    System.out.println(bytesOf(cycle));
  }

  /**
   * Bytes of a window after warm-up: of the first without any, else of the last. The JVM itself
   * needs a hundred bytes now and then, when it swaps code; what a request allocates comes in every
   * window.
   */
  private static long bytesOf(final Runnable cycle) {
    final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < WARM_UP; i++) {
      cycle.run();
    }
    long bytes = 1;
    for (int window = 0; window < WINDOWS && bytes > 0; window++) {
      final long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CYCLES; i++) {
        cycle.run();
      }
      bytes = threads.getCurrentThreadAllocatedBytes() - before;
    }
    return bytes;
  }

  /** Every way through the request path once, and the queue's consumer after it. */
  private static final class FullPath implements Runnable {
    private final Admission admission =
        new Admission(new UsageQueue(2, 4, () -> {}), new OutcomeCounters(2));
    private final Operation chat = admission.catalogue().operation("chat");
    private final AccountState funded = open(FUNDED, LIMITED);
    private final AccountState elastic = open(ELASTIC, AccountTerms.elastic(Long.MAX_VALUE / 2));
    private final AdmissionRequest request = admission.newRequest(new Id128(5, 6));
    private final AdmissionRequest other = admission.newRequest(new Id128(7, 8));
    long[] kept = new long[0];
    private long now = NOW;

    FullPath() {
      funded
          .leases()
          .replace(
              new HeldLease(new Id128(7, 1), 1, 1L << 30, NOW + 1_000_000_000_000L, 0, 1L << 29));
      elastic.leases().replace(new HeldLease(new Id128(7, 2), 1, 1_000_000, NOW, 0, 0));
    }

    private AccountState open(final Id128 id, final AccountTerms terms) {
      final AccountState account =
          admission
              .accounts()
              .open(
                  id,
                  new AccountPolicy(
                      1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms, true),
                  () -> {});
      final SnapshotMap principals = admission.principals();
      final var published =
          List.of(
              principals.publish(
                  Plan.open(
                      "plan",
                      new OperationPrice(
                          "chat",
                          List.of(new MeterPrice("tokens", 3, 2, 0)),
                          4,
                          1L << 52,
                          Billing.PER_REQUEST,
                          Duration.ofMinutes(1)))),
              principals.resolved(
                  new PrincipalSnapshot(id, 1, "plan", List.of(SnapshotLeg.of(id)), 100),
                  Long.MAX_VALUE,
                  principals.readEpoch()));
      assertThat(published.get(1)).isEqualTo(Publication.ACCEPTED);
      return account;
    }

    @Override
    public void run() {
      now += 10_000_000;
      // Completed as reserved, with an extension.
      admit(FUNDED);
      must(request.start(now));
      must(request.extend(5, now));
      request.complete();
      // Settled below and above.
      admit(FUNDED);
      must(request.start(now));
      request.settle(1, now);
      admit(FUNDED);
      must(request.start(now));
      request.settle(1_000, now);
      // On overage, settled to zero so that there is always room.
      admit(ELASTIC);
      must(request.start(now));
      request.settle(0, now);
      // Cancelled, after begin and after admit.
      must(request.begin(FUNDED, now));
      request.cancel();
      admit(FUNDED);
      request.cancel();
      // Refused: unknown, too dear, more than the lease, more than the queue.
      refused(request.begin(UNKNOWN, now), Denial.UNKNOWN_PRINCIPAL);
      must(request.begin(FUNDED, now));
      refused(request.admit(chat, Long.MAX_VALUE, now), Denial.TOO_MANY_ITEMS);
      must(request.begin(FUNDED, now));
      refused(request.admit(chat, 1L << 31, now), Denial.INSUFFICIENT_LEASE);
      admit(FUNDED);
      must(other.begin(FUNDED, now));
      must(other.admit(chat, 1, now));
      other.cancel();
      request.cancel();
      for (UsageSlot slot = admission.usage().poll();
          slot != null;
          slot = admission.usage().poll()) {
        admission.usage().acknowledge(slot);
      }
    }

    private void admit(final Id128 account) {
      must(request.begin(account, now));
      must(request.admit(chat, 4, now));
    }

    private static void must(final Denial denial) {
      refused(denial, null);
    }

    private static void refused(final Denial denial, final Denial expected) {
      if (denial != expected) {
        throw new AssertionError(denial + " instead of " + expected);
      }
    }
  }
}
