package io.tollgrid.admission.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.tollgrid.admission.account.AccountRegistry;
import io.tollgrid.admission.account.AccountState;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.lease.HeldLease;
import io.tollgrid.admission.outcome.OutcomeCounters;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.Id128;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
  private static final int WINDOWS = 4;
  private static final long NOW = 1_700_000_000_000_000_000L;
  private static final Id128 FUNDED = new Id128(1, 1);
  private static final Id128 ELASTIC = new Id128(1, 2);
  private static final Id128 UNKNOWN = new Id128(1, 3);
  private static final Operation CHAT = new Operation("chat", 3, 2);

  @Test
  void theRequestPathAllocatesNothing() {
    assertThat(bytesOf(new FullPath())).containsOnly(0L);
  }

  @Test
  void theMeterSeesOneObjectPerCycle() {
    final FullPath path = new FullPath();
    final long[] bytes =
        bytesOf(
            () -> {
              path.run();
              path.kept = new long[2];
            });

    for (final long window : bytes) {
      assertThat(window).isGreaterThanOrEqualTo(32L * CYCLES);
    }
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

  /** Prints the bytes of the last window. */
  public static void main(final String[] args) {
    final FullPath path = new FullPath();
    final Runnable cycle =
        args[0].equals("control")
            ? () -> {
              path.run();
              path.kept = new long[2];
            }
            : path;
    System.out.println(bytesOf(cycle)[WINDOWS - 1]);
  }

  private static long[] bytesOf(final Runnable cycle) {
    final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < WARM_UP; i++) {
      cycle.run();
    }
    final long[] bytes = new long[WINDOWS];
    for (int window = 0; window < WINDOWS; window++) {
      final long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CYCLES; i++) {
        cycle.run();
      }
      bytes[window] = threads.getCurrentThreadAllocatedBytes() - before;
    }
    return bytes;
  }

  /** Every way through the request path once, and the queue's consumer after it. */
  private static final class FullPath implements Runnable {
    private final Admission admission =
        new Admission(
            new AccountRegistry(), new UsageQueue(2, 4, () -> {}), new OutcomeCounters(2));
    private final AccountState funded = open(FUNDED, AccountTerms.STRICT);
    private final AccountState elastic = open(ELASTIC, AccountTerms.elastic(Long.MAX_VALUE / 2));
    private final AdmissionRequest request = admission.newRequest(new Id128(5, 6));
    private final AdmissionRequest other = admission.newRequest(new Id128(7, 8));
    long[] kept = new long[0];

    FullPath() {
      funded
          .leases()
          .replace(
              new HeldLease(new Id128(7, 1), 1, 1L << 50, NOW + 1_000_000_000_000L, 0, 1L << 49));
      elastic.leases().replace(new HeldLease(new Id128(7, 2), 1, 1_000_000, NOW, 0, 0));
    }

    private AccountState open(final Id128 id, final AccountTerms terms) {
      return admission
          .accounts()
          .open(
              id,
              new AccountPolicy(1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, terms, true),
              () -> {});
    }

    @Override
    public void run() {
      // Completed as reserved, with an extension.
      admit(FUNDED);
      must(request.start(NOW));
      must(request.extend(5, NOW));
      request.complete();
      // Settled below and above.
      admit(FUNDED);
      must(request.start(NOW));
      request.settle(1, NOW);
      admit(FUNDED);
      must(request.start(NOW));
      request.settle(1_000, NOW);
      // On overage, settled to zero so that there is always room.
      admit(ELASTIC);
      must(request.start(NOW));
      request.settle(0, NOW);
      // Cancelled, after begin and after admit.
      must(request.begin(FUNDED, NOW));
      request.cancel();
      admit(FUNDED);
      request.cancel();
      // Refused: unknown, too dear, more than the lease, more than the queue.
      refused(request.begin(UNKNOWN, NOW), Denial.UNKNOWN_PRINCIPAL);
      must(request.begin(FUNDED, NOW));
      refused(request.admit(CHAT, Long.MAX_VALUE, NOW), Denial.COST_OVERFLOW);
      must(request.begin(FUNDED, NOW));
      refused(request.admit(1L << 51, NOW), Denial.INSUFFICIENT_LEASE);
      admit(FUNDED);
      must(other.begin(FUNDED, NOW));
      must(other.admit(1, NOW));
      other.cancel();
      request.cancel();
      for (UsageSlot slot = admission.usage().poll();
          slot != null;
          slot = admission.usage().poll()) {
        admission.usage().acknowledge(slot);
      }
    }

    private void admit(final Id128 account) {
      must(request.begin(account, NOW));
      must(request.admit(CHAT, 4, NOW));
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
