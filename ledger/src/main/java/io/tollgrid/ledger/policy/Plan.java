package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Bits256;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Prices and permissions under a name, shared by all principals that are assigned to it.
 *
 * @param name its name
 * @param generation of this name's contents, 1 or more; a newer one replaces an older one (R37)
 * @param revision identity of the policy, carried and never interpreted (R25)
 * @param routes the ways in that it allows
 * @param work the operations that it allows, of those it prices
 * @param operations what it prices, no operation twice
 */
public record Plan(
    String name,
    long generation,
    Bits256 revision,
    Permissions routes,
    Permissions work,
    List<OperationPrice> operations) {
  /** Refuses a generation below 1 and an operation priced twice. */
  public Plan {
    PolicyName.require("plan", name);
    operations = List.copyOf(operations);
    if (generation < 1) {
      throw new IllegalArgumentException(
          "plan " + name + " has generation " + generation + "; the first is 1");
    }
    final Set<String> priced = new HashSet<>();
    for (final OperationPrice price : operations) {
      if (!priced.add(price.operation())) {
        throw new IllegalArgumentException(
            "plan " + name + " prices operation " + price.operation() + " twice");
      }
    }
  }

  /** The same contents under another generation. */
  public Plan withGeneration(final long next) {
    return new Plan(name, next, revision, routes, work, operations);
  }

  /** The first generation of a plan that allows every route and all the work it prices. */
  public static Plan open(final String name, final OperationPrice... operations) {
    return new Plan(name, 1, Bits256.ZERO, Permissions.ALL, Permissions.ALL, List.of(operations));
  }
}
