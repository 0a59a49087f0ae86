package io.tollgrid.mapstore.rows;

import io.tollgrid.ledger.Lease;
import io.tollgrid.ledger.LeaseState;
import io.tollgrid.ledger.LeaseStep;
import io.tollgrid.mapstore.sql.ColumnType;
import io.tollgrid.mapstore.sql.RowSet;
import io.tollgrid.mapstore.sql.Shape;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The columns of {@code lease} below its account. */
public final class LeaseColumns {
  /** What a grant sets once and for all; the columns an insert writes after the account. */
  public static final Shape GRANT =
      Shape.empty()
          .with(ColumnType.UUID, "id", "holder")
          .with(ColumnType.INT8, "fence")
          .with(ColumnType.UUID, "body_hash")
          .with(
              ColumnType.INT8,
              "period_number",
              "granted_allowance",
              "granted_top_up",
              "first_expires_at",
              "grace");

  /** What changes during a lease's life; the columns an update writes after account and id. */
  public static final Shape LIFE =
      Shape.empty()
          .with(ColumnType.INT8, "returned_allowance", "returned_top_up", "billed", "loss")
          .with(ColumnType.INT2, "state")
          .with(ColumnType.INT8, "expires_at", "ended_at", "step_number")
          .with(ColumnType.INT2, "step_kind")
          .with(
              ColumnType.INT8,
              "step_argument",
              "step_restored",
              "step_expired",
              "step_loss",
              "step_expires_at");

  /** All columns of a lease, in the order {@link #read} expects. */
  public static final Shape ALL = GRANT.and(LIFE);

  private static final int STEP_COLUMNS = 7;

  private LeaseColumns() {}

  /** Writes the {@link #GRANT} columns. */
  public static void writeGrant(RowSet rows, Lease lease) {
    rows.uuid(lease.id())
        .uuid(lease.holder())
        .int8(lease.fence())
        .uuid(lease.bodyHash())
        .int8(lease.periodNumber())
        .int8(lease.grantedAllowance())
        .int8(lease.grantedTopUp())
        .int8(lease.firstExpiresAtNanos())
        .int8(lease.graceNanos());
  }

  /** Writes the {@link #LIFE} columns. */
  public static void writeLife(RowSet rows, Lease lease) {
    rows.int8(lease.returnedAllowance())
        .int8(lease.returnedTopUp())
        .int8(lease.billed())
        .int8(lease.loss())
        .ordinal(lease.state())
        .int8(lease.expiresAtNanos())
        .int8(lease.endedAtNanos());
    final LeaseStep step = lease.lastStep();
    if (step == null) {
      rows.nulls(STEP_COLUMNS);
    } else {
      rows.int8(step.number())
          .ordinal(step.kind())
          .int8(step.argument())
          .int8(step.restoredUnits())
          .int8(step.expiredUnits())
          .int8(step.lossUnits())
          .int8(step.expiresAtNanos());
    }
  }

  /** Whether a lease reads exactly as its grant left it, so that an insert says all of it. */
  public static boolean isAsGranted(Lease lease) {
    return lease.state() == LeaseState.ACTIVE
        && lease.lastStep() == null
        && lease.returned() == 0
        && lease.billed() == 0
        && lease.endedAtNanos() == 0
        && lease.expiresAtNanos() == lease.firstExpiresAtNanos();
  }

  /**
   * The lease whose columns start at {@code first}.
   *
   * @throws io.tollgrid.ledger.CorruptLedgerException if no sequence of commands made it
   */
  public static Lease read(ResultSet row, int first) throws SQLException {
    final Fields at = new Fields(row, first);
    final var id = at.id();
    final var holder = at.id();
    final long fence = at.int8();
    final var bodyHash = at.id();
    final long periodNumber = at.int8();
    final long grantedAllowance = at.int8();
    final long grantedTopUp = at.int8();
    final long firstExpiresAtNanos = at.int8();
    final long graceNanos = at.int8();
    final long returnedAllowance = at.int8();
    final long returnedTopUp = at.int8();
    final long billed = at.int8();
    final long loss = at.int8();
    final LeaseState state = at.ordinal(LeaseState.values());
    final long expiresAtNanos = at.int8();
    final long endedAtNanos = at.int8();
    return new Lease(
        id,
        holder,
        fence,
        bodyHash,
        periodNumber,
        grantedAllowance,
        grantedTopUp,
        returnedAllowance,
        returnedTopUp,
        billed,
        loss,
        state,
        firstExpiresAtNanos,
        expiresAtNanos,
        graceNanos,
        endedAtNanos,
        step(at));
  }

  private static @Nullable LeaseStep step(Fields at) throws SQLException {
    if (at.nextIsNull()) {
      return null;
    }
    return new LeaseStep(
        at.int8(),
        at.ordinal(LeaseStep.Kind.values()),
        at.int8(),
        at.int8(),
        at.int8(),
        at.int8(),
        at.int8());
  }
}
