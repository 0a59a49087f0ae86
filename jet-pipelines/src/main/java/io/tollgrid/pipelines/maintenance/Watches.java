package io.tollgrid.pipelines.maintenance;

/**
 * What a member watches in PostgreSQL.
 *
 * @param months month partitions
 * @param unpaid usage nobody paid for
 * @param reconciliation books against rows
 * @param regression PostgreSQL against what was stored in it
 * @param clock this member's clock against PostgreSQL's
 */
public record Watches(
    MonthWatch months,
    UnpaidUsageWatch unpaid,
    Reconciliation reconciliation,
    RegressionWatch regression,
    ClockWatch clock) {}
