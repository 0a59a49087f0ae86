package io.tollgrid.node.doctor;

import com.hazelcast.jet.Job;
import com.hazelcast.jet.core.JobStatus;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.pipelines.Alarm;
import io.tollgrid.pipelines.sweep.Sweep;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * How an alarm's cause comes about and goes away.
 *
 * @param cause makes it happen, so that the alarm fires by itself a little later
 * @param remedy takes it away, whether or not the alarm fired
 */
record SelfTest(Step cause, Step remedy) {
  /** One step of it. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  private static final Step TIME_PASSES = () -> {};
  private static final long LOOK_AGAIN_MILLIS = 10;
  private static final int MAX_LOOKS = 3_000;
  private static final Duration AHEAD = Duration.ofSeconds(2);

  /** The self-test of an alarm: one without does not compile. */
  static SelfTest of(Alarm alarm, ScratchSystem system) throws Exception {
    return switch (alarm) {
      case JOB_NOT_RUNNING -> suspendedJob(system);
      case SWEEP_LAGGING -> {
        final Id128 account = system.accountWithLeaseSoonDue();
        yield new SelfTest(
            () -> system.lock("SELECT FROM account WHERE " + is("id", account) + " FOR UPDATE"),
            system::unlock);
      }
      case ACCOUNTS_STUCK -> contradiction(system, system.accountWithLeaseSoonDue());
      case USAGE_LAGGING -> {
        final Id128 account = system.accountWithLease();
        yield new SelfTest(
            () -> {
              system.lock("SELECT FROM account WHERE " + is("id", account) + " FOR UPDATE");
              system.leaveUsage(account);
            },
            system::unlock);
      }
      case USAGE_STUCK -> {
        final Id128 account = system.accountWithLease();
        final SelfTest contradiction = contradiction(system, account);
        yield new SelfTest(
            () -> {
              contradiction.cause().run();
              system.leaveUsage(account);
            },
            contradiction.remedy());
      }
      case DEFAULT_PARTITION_IN_USE ->
          new SelfTest(
              () ->
                  system.execute(
                      "INSERT INTO denial_minute VALUES"
                          + " (190001, gen_random_uuid(), 1, 0, 0, NULL, NULL, 'DOCTOR', 1, 0)"),
              () -> system.execute("DELETE FROM denial_minute WHERE month = 190001"));
      case MONTHS_NOT_AHEAD -> {
        final String month =
            system.ask(
                "SELECT max(inhrelid::regclass::text) FROM pg_inherits"
                    + " WHERE inhparent = 'denial_minute'::regclass"
                    + " AND inhrelid <> 'denial_minute_default'::regclass");
        yield new SelfTest(
            () -> system.execute("DROP TABLE " + month, "CREATE TABLE " + month + " ()"),
            () -> system.execute("DROP TABLE " + month));
      }
      case RECONCILIATION_FOUND -> contradiction(system, system.accountWithLease());
      case RECONCILIATION_LATE ->
          new SelfTest(
              () -> system.lock("LOCK TABLE deposit IN ACCESS EXCLUSIVE MODE"), system::unlock);
      case USAGE_REJECTED ->
          new SelfTest(() -> system.recordUsage(system.noSuchLease()), TIME_PASSES);
      case USAGE_UNFUNDED ->
          new SelfTest(() -> system.recordUsage(new Funding.Unfunded()), TIME_PASSES);
      case AUTHORITY_BEHIND -> {
        final Id128 account = system.accountWithLease();
        final String where = " WHERE " + is("id", account);
        yield new SelfTest(
            () -> {
              system.execute("UPDATE account SET version = version - 1" + where);
              system.disappoint(account);
            },
            () -> system.execute("UPDATE account SET version = version + 1" + where));
      }
      case CLOCK_SKEWED ->
          new SelfTest(
              () -> system.clock().isAheadBy(AHEAD), () -> system.clock().isAheadBy(Duration.ZERO));
    };
  }

  private static SelfTest suspendedJob(ScratchSystem system) throws InterruptedException {
    until(() -> system.job(Sweep.RECLAIM).isPresent());
    final Job job = system.job(Sweep.RECLAIM).orElseThrow();
    return new SelfTest(
        () -> {
          job.suspend();
          until(() -> job.getStatus() == JobStatus.SUSPENDED);
        },
        job::resume);
  }

  private static void until(BooleanSupplier condition) throws InterruptedException {
    for (int looks = 0; !condition.getAsBoolean(); looks++) {
      if (looks == MAX_LOOKS) {
        throw new IllegalStateException("the scratch system takes too long");
      }
      Thread.sleep(LOOK_AGAIN_MILLIS);
    }
  }

  /** A lease is billed one unit of which its account and its usage know nothing. */
  private static SelfTest contradiction(ScratchSystem system, Id128 account) {
    final String lease = " WHERE " + is("account", account);
    return new SelfTest(
        () -> {
          system.execute("UPDATE lease SET billed = billed + 1" + lease);
          system.forget(account);
        },
        () -> system.execute("UPDATE lease SET billed = billed - 1" + lease));
  }

  private static String is(String column, Id128 account) {
    return column + " = '" + account.toUuid() + "'";
  }
}
