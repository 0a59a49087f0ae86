package io.tollgrid.verification.bench.footprint;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.Instance;

/** The one worker of an instance: it serves principals, one request each. For one thread. */
final class Requests {
  private static final long ITEMS = 10;

  private final AdmissionRequest request;
  private final Operation operation;

  Requests(Instance instance) {
    this.request = instance.newRequest();
    this.operation = instance.operation(Authority.OPERATION);
  }

  /**
   * Begins, starts and settles a request of a principal.
   *
   * @return whether it was served; else it may be when the instance has done what is due
   * @throws IllegalStateException if it never will be
   */
  boolean serve(int principal, long nowNanos) {
    Denial denial = request.begin(Authority.principal(principal), nowNanos);
    if (denial == null) {
      denial = request.admit(operation, ITEMS, nowNanos);
    }
    if (denial == null) {
      denial = request.start(nowNanos);
    }
    if (denial == null) {
      request.settle(ITEMS, nowNanos);
      return true;
    }
    if (denial.isFinal()) {
      throw new IllegalStateException("principal " + principal + " was refused as " + denial);
    }
    return false;
  }
}
