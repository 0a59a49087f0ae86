package io.tollgrid.grid.usage;

/**
 * Told on a data member that a batch was left there; found in its user context. A hint: whoever
 * takes batches also looks by itself.
 */
@FunctionalInterface
public interface UsageDoorbell {
  /** Where a member keeps it in its user context. */
  String CONTEXT_KEY = "tollgrid.usage-doorbell";

  /** Must not block and not throw; called by partition threads. */
  void left(LeftUsage usage);
}
