package io.tollgrid.ledger;

/**
 * Names one stored row of an account that an answer may rest on; the account itself is the
 * request's.
 */
public sealed interface RowKey {
  /**
   * The row of a lease.
   *
   * @param leaseId the lease
   */
  record LeaseKey(Id128 leaseId) implements RowKey {}

  /**
   * The row of an operator command.
   *
   * @param commandId the command
   */
  record CommandKey(Id128 commandId) implements RowKey {}

  /**
   * The row of an accepted usage part.
   *
   * @param requestId the request
   * @param part the part
   */
  record UsageKey(Id128 requestId, int part) implements RowKey {}

  /**
   * The row of a rejected delivery.
   *
   * @param writer the writer
   * @param sequence its number there
   */
  record DeliveryKey(Id128 writer, long sequence) implements RowKey {}
}
