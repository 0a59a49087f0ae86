package io.tollgrid.verification.bench.grid;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tollgrid.admission.plan.Operation;
import io.tollgrid.admission.request.AdmissionRequest;
import io.tollgrid.client.InstanceGrid;
import io.tollgrid.client.InstanceRuntime;
import io.tollgrid.client.InstanceSettings;
import io.tollgrid.client.ShutdownReport;
import io.tollgrid.grid.RandomIds;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.node.TollgridNode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** The product: an instance beside its node, which bills every request. */
final class AdmissionSide implements Side, AutoCloseable {
  private static final String PLAN = "bench";
  private static final String OPERATION = "work";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final SystemClock clock = new SystemClock();
  private final List<Id128> accounts;
  private final InstanceGrid grid;
  private final InstanceRuntime runtime;

  /** An instance that serves accounts, each its own principal. */
  AdmissionSide(TollgridNode node, List<Id128> accounts) throws SQLException {
    this.accounts = List.copyOf(accounts);
    node.publications()
        .publish(Plan.open(PLAN, OperationPrice.of(OPERATION, MeterPrice.perItem("units"))));
    for (final Id128 account : accounts) {
      node.publications().publish(PrincipalSnapshot.of(account, PLAN, account));
    }
    this.grid = InstanceGrid.of(node.hazelcast(), "bench", clock, new SimpleMeterRegistry());
    this.runtime = InstanceRuntime.start(grid, clock, new RandomIds(), InstanceSettings.DEFAULTS);
  }

  @Override
  public String name() {
    return "Tollgrid";
  }

  @Override
  public Caller caller() {
    final AdmissionRequest request = runtime.newRequest();
    final Operation operation = runtime.operation(OPERATION);
    return new Caller() {
      @Override
      public boolean decide(int account) {
        return request.begin(accounts.get(account), clock.nowNanos()) == null
            && request.admit(operation, 1, clock.nowNanos()) == null;
      }

      @Override
      public void undo() {
        request.cancel();
      }

      @Override
      public boolean serve(int account) {
        if (!decide(account) || request.start(clock.nowNanos()) != null) {
          return false;
        }
        request.settle(1, clock.nowNanos());
        return true;
      }
    };
  }

  @Override
  public long unrecorded() {
    return runtime.instance().admission().usage().depth();
  }

  /**
   * Ends the instance.
   *
   * @throws IllegalStateException if an event of it is not on record: the run has no figure
   */
  @Override
  public void close() {
    try {
      final ShutdownReport report = runtime.shutdown(PATIENCE);
      if (report.lostEvents() + report.unresolvedEvents() + report.refusedEvents() > 0) {
        throw new IllegalStateException("the run has no figure: " + report);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      grid.close();
    }
  }
}
