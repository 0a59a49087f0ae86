package io.tollgrid.node.embedding;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import io.tollgrid.admission.denial.Denial;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.LedgerClock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** Lets a request through once it is admitted, and bills it when its response is complete. */
public final class TollgridDecorator extends SimpleDecoratingHttpService {
  private final InstanceRuntime tollgrid;
  private final LedgerClock clock;
  private final Operation operation;
  private final Function<ServiceRequestContext, Id128> principalOf;
  private final Queue<AdmissionRequest> idle = new ConcurrentLinkedQueue<>();

  public TollgridDecorator(
      HttpService delegate,
      InstanceRuntime tollgrid,
      String operation,
      Function<ServiceRequestContext, Id128> principalOf) {
    super(delegate);
    this.tollgrid = tollgrid;
    this.clock = tollgrid.clock();
    this.operation = tollgrid.operation(operation);
    this.principalOf = principalOf;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest asked) throws Exception {
    final AdmissionRequest pooled = idle.poll();
    final AdmissionRequest request = pooled == null ? tollgrid.newRequest() : pooled;
    final long now = clock.nowNanos();
    Denial denial = request.begin(principalOf.apply(context), now);
    if (denial == null) denial = request.admit(operation, now);
    if (denial == null) denial = request.start(now);
    if (denial != null) {
      final HttpResponse refusal = refuse(denial, RetryAfter.seconds(denial, request, now));
      idle.add(request);
      return refusal;
    }
    final var unused =
        context
            .log()
            .whenComplete()
            .thenAccept(
                log -> {
                  request.adopt();
                  final boolean worked =
                      log.responseCause() == null && !log.responseStatus().isError();
                  request.settle(worked ? request.reservedUnits() : 0, clock.nowNanos());
                  idle.add(request);
                });
    return unwrap().serve(context, asked);
  }

  private static HttpResponse refuse(Denial denial, long retryAfter) {
    final ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.valueOf(denial.httpStatus()))
            .contentType(MediaType.PLAIN_TEXT_UTF_8);
    if (retryAfter > 0) {
      headers.addLong("Retry-After", retryAfter);
    }
    return HttpResponse.of(headers.build(), HttpData.ofUtf8(denial.label()));
  }
}
