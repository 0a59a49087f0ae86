package io.tollgrid.admission.denial;

import static io.tollgrid.admission.denial.RetryClass.AFTER;
import static io.tollgrid.admission.denial.RetryClass.AFTER_IN_FLIGHT;
import static io.tollgrid.admission.denial.RetryClass.NEVER;
import static io.tollgrid.admission.denial.RetryClass.TRANSIENT;

/**
 * Every way a request is refused, before it is admitted or when it starts.
 *
 * <p>The pair of stage and number, the label, the retry class and both statuses are a stable
 * contract (R32, R33): append only. The two stages number independently, because a refusal at start
 * never joins the denials of admission: that request was admitted and is counted as such.
 */
public enum Denial {
  /** No principal, or no account, is known under this id. */
  UNKNOWN_PRINCIPAL(0, NEVER, 401, Grpc.UNAUTHENTICATED),
  /** The principal was revoked. */
  PRINCIPAL_REVOKED(1, NEVER, 401, Grpc.UNAUTHENTICATED),
  /** An account that would pay is suspended. */
  ACCOUNT_SUSPENDED(2, NEVER, 403, Grpc.PERMISSION_DENIED),
  /** An account that would pay is closed. */
  ACCOUNT_CLOSED(3, NEVER, 403, Grpc.PERMISSION_DENIED),
  /** The policy of the principal is older than it may be. */
  SNAPSHOT_STALE(4, TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** The principal may not use this route. */
  ROUTE_FORBIDDEN(5, NEVER, 403, Grpc.PERMISSION_DENIED),
  /** The principal may not do this work. */
  WORK_FORBIDDEN(6, NEVER, 403, Grpc.PERMISSION_DENIED),
  /** The plan has no price for this operation. */
  UNKNOWN_OPERATION(7, NEVER, 422, Grpc.INVALID_ARGUMENT),
  /** More items, or more parts, than one request may have. */
  TOO_MANY_ITEMS(8, NEVER, 422, Grpc.INVALID_ARGUMENT),
  /** The price does not fit 63 bits. */
  COST_OVERFLOW(9, NEVER, 422, Grpc.INVALID_ARGUMENT),
  /** Nothing meters this work, and no-match never means unlimited (R50). */
  UNMETERED(10, NEVER, 403, Grpc.PERMISSION_DENIED),
  /** Every usage slot is taken: what was done is not recorded durably yet (R22). */
  USAGE_QUEUE_FULL(11, TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** No rate bucket could ever hold the quote. */
  UNPRICEABLE_UNDER_LIMITS(12, NEVER, 422, Grpc.INVALID_ARGUMENT),
  /** Too many requests for now. */
  REQUEST_RATE_LIMITED(13, AFTER, 429, Grpc.RESOURCE_EXHAUSTED),
  /** Too many units for now. */
  RATE_LIMITED(14, AFTER, 429, Grpc.RESOURCE_EXHAUSTED),
  /** The principal runs as much as it may. */
  PRINCIPAL_CONCURRENCY(15, TRANSIENT, 429, Grpc.RESOURCE_EXHAUSTED),
  /** The account runs as much as it may. */
  ACCOUNT_CONCURRENCY(16, TRANSIENT, 429, Grpc.RESOURCE_EXHAUSTED),
  /** The instance holds no lease of the account; one has been asked for. */
  NO_LEASE(17, TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** The lease is past its usable time; another has been asked for. */
  LEASE_EXPIRED(18, TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** The lease holds fewer units than the quote; more have been asked for. */
  INSUFFICIENT_LEASE(19, TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** The quote exceeds all that current funding can still serve (R15). */
  BALANCE_INSUFFICIENT(20, NEVER, 402, Grpc.FAILED_PRECONDITION),
  /** Current funding is spent (R15). */
  BALANCE_EXHAUSTED(21, NEVER, 402, Grpc.FAILED_PRECONDITION),
  /** The instance's overage is spent; a refill could still fund the request. */
  OVERAGE_EXHAUSTED(22, TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** The overage is held by requests whose refund would make room. */
  OVERAGE_TEMPORARILY_EXHAUSTED(23, TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** A request is committing overage right now. */
  OVERAGE_COMMIT_IN_PROGRESS(24, AFTER_IN_FLIGHT, 503, Grpc.ABORTED),
  /** Two requests undid each other. */
  LEG_CONFLICT(25, TRANSIENT, 503, Grpc.ABORTED),
  /** The instance admits nothing any more. */
  SHUTTING_DOWN(26, TRANSIENT, 503, Grpc.UNAVAILABLE),

  /** At start: no execution capacity is free. */
  START_CAPACITY_SHED(Stage.START, 0, "CAPACITY_SHED", TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** At start: the lease lapsed after admission, and strict enforcement has no other funding. */
  START_LAPSED(Stage.START, 1, "LAPSED", TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** At start: the lease lapsed and the instance's overage is spent. */
  START_OVERAGE_EXHAUSTED(Stage.START, 2, "OVERAGE_EXHAUSTED", TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** At start: the lease lapsed and the overage is held by requests that may yet return it. */
  START_OVERAGE_TEMPORARILY_EXHAUSTED(
      Stage.START, 3, "OVERAGE_TEMPORARILY_EXHAUSTED", TRANSIENT, 503, Grpc.UNAVAILABLE),
  /** At start: the lease lapsed while another request was committing overage. */
  START_OVERAGE_COMMIT_IN_PROGRESS(
      Stage.START, 4, "OVERAGE_COMMIT_IN_PROGRESS", AFTER_IN_FLIGHT, 503, Grpc.ABORTED),
  /** At start: someone cancelled the request first. */
  START_CANCELLED(Stage.START, 5, "CANCELLED", TRANSIENT, 503, Grpc.CANCELLED);

  /** When a refusal happened. */
  public enum Stage {
    /** Before the request was admitted: it was never counted as admitted. */
    ADMISSION,
    /** After it was admitted and before it ran: it cost nothing. */
    START
  }

  private final Stage stage;
  private final int number;
  private final String label;
  private final RetryClass retry;
  private final int httpStatus;
  private final int grpcStatus;

  Denial(int number, RetryClass retry, int httpStatus, int grpcStatus) {
    this.stage = Stage.ADMISSION;
    this.number = number;
    this.label = name();
    this.retry = retry;
    this.httpStatus = httpStatus;
    this.grpcStatus = grpcStatus;
  }

  Denial(Stage stage, int number, String label, RetryClass retry, int httpStatus, int grpcStatus) {
    this.stage = stage;
    this.number = number;
    this.label = label;
    this.retry = retry;
    this.httpStatus = httpStatus;
    this.grpcStatus = grpcStatus;
  }

  /** When it happens. */
  public Stage stage() {
    return stage;
  }

  /** Its number within its stage. */
  public int number() {
    return number;
  }

  /** Its name in metrics, files and replies, unique within its stage. */
  public String label() {
    return label;
  }

  /** What the caller may do. */
  public RetryClass retry() {
    return retry;
  }

  /** Whether the same request is refused until something outside it changes. */
  public boolean isFinal() {
    return retry == NEVER;
  }

  /** The status of an HTTP reply. */
  public int httpStatus() {
    return httpStatus;
  }

  /** The status code of a gRPC reply. */
  public int grpcStatus() {
    return grpcStatus;
  }

  /** Status codes of the gRPC protocol. */
  private static final class Grpc {
    static final int CANCELLED = 1;
    static final int INVALID_ARGUMENT = 3;
    static final int PERMISSION_DENIED = 7;
    static final int RESOURCE_EXHAUSTED = 8;
    static final int FAILED_PRECONDITION = 9;
    static final int ABORTED = 10;
    static final int UNAVAILABLE = 14;
    static final int UNAUTHENTICATED = 16;
  }
}
