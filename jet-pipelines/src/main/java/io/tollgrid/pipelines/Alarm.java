package io.tollgrid.pipelines;

import io.tollgrid.mapstore.verify.Finding;
import io.tollgrid.pipelines.maintenance.Reconciliation;
import io.tollgrid.pipelines.sweep.MemberSweep;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a person must look at (R53). An alarm fires while it has a cause, on each member that sees
 * one.
 */
public enum Alarm {
  /**
   * A job has not run for a while: nothing is reclaimed, or idle accounts keep their old period.
   */
  JOB_NOT_RUNNING {
    @Override
    public List<String> causes(Pipelines pipelines) {
      return pipelines.jobs().stream()
          .filter(job -> job.notRunningNanos().orElse(-1) >= pipelines.jobSettings().alarmNanos())
          .map(
              job ->
                  "job "
                      + job.name()
                      + " has not run for "
                      + Duration.ofNanos(job.notRunningNanos().orElse(0)).toSeconds()
                      + " s, its status is "
                      + job.status())
          .toList();
    }
  },

  /** What is due longest has been so for too long, or reads of it keep failing. */
  SWEEP_LAGGING {
    @Override
    public List<String> causes(Pipelines pipelines) {
      return pipelines.sweeps().stream()
          .filter(MemberSweep::isLagging)
          .map(
              sweep ->
                  sweep.sweep().label()
                      + " is "
                      + Duration.ofNanos(sweep.lagNanos().orElse(0)).toSeconds()
                      + " s behind")
          .toList();
    }
  },

  /** Accounts fail again and again; the others are served. The log names some of them. */
  ACCOUNTS_STUCK {
    @Override
    public List<String> causes(Pipelines pipelines) {
      return pipelines.sweeps().stream()
          .filter(sweep -> sweep.stuck() > 0)
          .map(sweep -> sweep.sweep().label() + " cannot serve " + sweep.stuck() + " accounts")
          .toList();
    }
  },

  /** Usage that was left here is not recorded for too long; its writers fill up. */
  USAGE_LAGGING {
    @Override
    public List<String> causes(Pipelines pipelines) {
      return pipelines.ingest().isLagging()
          ? List.of(
              "usage that was left here "
                  + Duration.ofNanos(pipelines.ingest().lagNanos()).toSeconds()
                  + " s ago is not recorded")
          : List.of();
    }
  },

  /** Accounts whose usage fails again and again; that of the others is recorded. */
  USAGE_STUCK {
    @Override
    public List<String> causes(Pipelines pipelines) {
      final int stuck = pipelines.ingest().stuck();
      return stuck == 0 ? List.of() : List.of("usage of " + stuck + " accounts cannot be recorded");
    }
  },

  /**
   * Rows that belong to a month without a partition: it cannot be attached before they are moved.
   */
  DEFAULT_PARTITION_IN_USE {
    @Override
    public List<String> causes(Pipelines pipelines) {
      return pipelines.watches().months().defaultsInUse().stream()
          .map(partition -> partition + " holds rows that found no partition of their month")
          .toList();
    }
  },

  /** Partitions of months to come cannot be created, or nobody could look for a day. */
  MONTHS_NOT_AHEAD {
    @Override
    public List<String> causes(Pipelines pipelines) {
      final List<String> blocked = pipelines.watches().months().blocked();
      if (blocked.isEmpty() && pipelines.watches().months().isLate()) {
        return List.of("the month partitions have not been looked at for a day");
      }
      return blocked.stream()
          .map(partition -> "partition " + partition + " cannot be created")
          .toList();
    }
  },

  /** Books and rows of an account disagree (R54); the log names each once. */
  RECONCILIATION_FOUND {
    @Override
    public List<String> causes(Pipelines pipelines) {
      final List<Finding> findings = pipelines.watches().reconciliation().findings();
      final Stream<String> more =
          findings.size() <= FINDINGS_SHOWN
              ? Stream.empty()
              : Stream.of((findings.size() - FINDINGS_SHOWN) + " more findings are in the log");
      return Stream.concat(findings.stream().limit(FINDINGS_SHOWN).map(Finding::toString), more)
          .toList();
    }
  },

  /** Not all accounts could be compared with their rows for too long. */
  RECONCILIATION_LATE {
    @Override
    public List<String> causes(Pipelines pipelines) {
      final Reconciliation reconciliation = pipelines.watches().reconciliation();
      return reconciliation.isLate()
          ? List.of(
              "not all accounts have been reconciled for "
                  + Duration.ofNanos(reconciliation.unfinishedNanos()).toSeconds()
                  + " s")
          : List.of();
    }
  },

  /** Usage was rejected: spend nobody paid for, kept with its reason (R20). */
  USAGE_REJECTED {
    @Override
    public List<String> causes(Pipelines pipelines) {
      return pipelines.watches().unpaid().rejected().entrySet().stream()
          .map(
              entry -> entry.getValue() + " usage events were lately rejected as " + entry.getKey())
          .toList();
    }
  },

  /** Usage was recorded that nothing funded (R9). */
  USAGE_UNFUNDED {
    @Override
    public List<String> causes(Pipelines pipelines) {
      final long unfunded = pipelines.watches().unpaid().unfunded();
      return unfunded == 0
          ? List.of()
          : List.of(unfunded + " usage events were lately recorded that nothing funded");
    }
  },

  /** PostgreSQL was older than what it had been made to store: nothing is granted on its word. */
  AUTHORITY_BEHIND {
    @Override
    public List<String> causes(Pipelines pipelines) {
      return pipelines.watches().regression().isRecent()
          ? List.of("PostgreSQL was lately older than what this member had stored in it")
          : List.of();
    }
  },

  /** This member's clock and PostgreSQL's are further apart than the skew allows (R57). */
  CLOCK_SKEWED {
    @Override
    public List<String> causes(Pipelines pipelines) {
      final Duration beyond = pipelines.watches().clock().beyondSkew();
      return beyond.isZero()
          ? List.of()
          : List.of(
              "this member's clock is "
                  + beyond.abs().toMillis()
                  + (beyond.isNegative() ? " ms behind" : " ms ahead of")
                  + " PostgreSQL's");
    }
  };

  private static final int FINDINGS_SHOWN = 10;

  /** Why it fires, one sentence each; none while it does not. */
  public abstract List<String> causes(Pipelines pipelines);
}
