package io.tollgrid.admission.plan;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import org.jspecify.annotations.Nullable;

/**
 * A plan in force: the newest generation of one name, compiled for requests.
 *
 * <p>Principals hold this object, so that a new generation reaches them all by one write. Reading
 * is lock-free.
 */
public final class PublishedPlan {
  /** One generation, immutable. */
  public static final class Compiled {
    private final Plan plan;
    private final @Nullable PricedOperation[] operations;
    private final boolean everyRoute;
    private final long[] routes;

    private Compiled(final Plan plan, final Catalogue catalogue) {
      this.plan = plan;
      int operationCount = 0;
      for (final OperationPrice price : plan.operations()) {
        operationCount =
            Math.max(operationCount, catalogue.operation(price.operation()).index() + 1);
      }
      this.operations = new PricedOperation[operationCount];
      for (final OperationPrice price : plan.operations()) {
        operations[catalogue.operation(price.operation()).index()] =
            new PricedOperation(price, plan.work().allow(price.operation()), catalogue);
      }
      this.everyRoute = plan.routes().all();
      int routeCount = 0;
      for (final String route : plan.routes().names()) {
        routeCount = Math.max(routeCount, catalogue.route(route).index() + 1);
      }
      this.routes = new long[(routeCount + Long.SIZE - 1) / Long.SIZE];
      for (final String route : plan.routes().names()) {
        final int index = catalogue.route(route).index();
        routes[index / Long.SIZE] |= 1L << index;
      }
    }

    /** The price of an operation, or null if the plan has none. */
    public @Nullable PricedOperation operation(final Operation operation) {
      final int index = operation.index();
      return index < operations.length ? operations[index] : null;
    }

    /** Whether the plan allows a way in. */
    public boolean allows(final Route route) {
      final int word = route.index() / Long.SIZE;
      return everyRoute || (word < routes.length && (routes[word] >>> route.index() & 1) != 0);
    }

    /** Identity of the policy. */
    public Bits256 revision() {
      return plan.revision();
    }

    /** What was compiled. */
    public Plan plan() {
      return plan;
    }

    /**
     * The largest quote that any permitted operation can reach on a set of meters; saturates, for
     * it is only compared.
     */
    public long largestQuoteUnits(final long counted) {
      long largest = 0;
      for (final PricedOperation operation : operations) {
        if (operation != null && operation.isPermitted()) {
          final long quote = operation.quoteUnits(counted, operation.maximumItems());
          largest = quote == PriceArithmetic.OVERFLOW ? Long.MAX_VALUE : Math.max(largest, quote);
        }
      }
      return largest;
    }
  }

  private final Catalogue catalogue;
  private volatile Compiled current;

  /** A plan, published for the first time. */
  public PublishedPlan(final Plan plan, final Catalogue catalogue) {
    this.catalogue = catalogue;
    this.current = new Compiled(plan, catalogue);
  }

  /** The generation in force. */
  public Compiled current() {
    return current;
  }

  /**
   * Puts a newer generation in force.
   *
   * @return whether it was newer; if not, nothing changed (R37)
   * @throws IllegalArgumentException if it is another plan
   */
  public synchronized boolean publish(final Plan next) {
    final Plan before = current.plan();
    if (!before.name().equals(next.name())) {
      throw new IllegalArgumentException(
          "plan " + next.name() + " cannot replace plan " + before.name());
    }
    if (next.generation() <= before.generation()) {
      return false;
    }
    current = new Compiled(next, catalogue);
    return true;
  }
}
