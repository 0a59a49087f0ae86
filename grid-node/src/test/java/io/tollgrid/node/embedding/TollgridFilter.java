package io.tollgrid.node.embedding;

import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.LedgerClock;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Function;

/** Lets a request through once it is admitted, and bills it when it worked. */
public final class TollgridFilter implements Filter {
  private final LedgerClock clock;
  private final Operation operation;
  private final Function<HttpServletRequest, Id128> principalOf;
  private final ThreadLocal<AdmissionRequest> requests;

  public TollgridFilter(
      InstanceRuntime tollgrid, String operation, Function<HttpServletRequest, Id128> principalOf) {
    this.clock = tollgrid.clock();
    this.operation = tollgrid.operation(operation);
    this.principalOf = principalOf;
    this.requests = ThreadLocal.withInitial(tollgrid::newRequest);
  }

  @Override
  public void doFilter(ServletRequest asked, ServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    final AdmissionRequest request = requests.get();
    final long now = clock.nowNanos();
    Denial denial = request.begin(principalOf.apply((HttpServletRequest) asked), now);
    if (denial == null) denial = request.admit(operation, now);
    if (denial == null) denial = request.start(now);
    if (denial != null) {
      refuse((HttpServletResponse) answer, denial, RetryAfter.seconds(denial, request, now));
      return;
    }
    boolean worked = false;
    try {
      chain.doFilter(asked, answer);
      worked = true;
    } finally {
      request.settle(worked ? request.reservedUnits() : 0, clock.nowNanos());
    }
  }

  private static void refuse(HttpServletResponse answer, Denial denial, long retryAfter)
      throws IOException {
    if (retryAfter > 0) {
      answer.setHeader("Retry-After", Long.toString(retryAfter));
    }
    answer.sendError(denial.httpStatus(), denial.label());
  }
}
