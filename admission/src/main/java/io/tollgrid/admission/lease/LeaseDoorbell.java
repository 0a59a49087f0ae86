package io.tollgrid.admission.lease;

/**
 * Wakes the owner of an account: one of its bells has been raised, see {@link LeaseSlot#bells()}.
 *
 * <p>Rung by requests on their own threads, once per bell until the owner re-arms it, so an
 * implementation must not block, allocate or read a clock (R27, R34).
 */
@FunctionalInterface
public interface LeaseDoorbell {
  /** Wakes the owner. */
  void ring();
}
