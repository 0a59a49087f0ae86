package io.tollgrid.admission.plan;

import io.tollgrid.ledger.policy.PolicyName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The names this process knows, numbered from 0 in the order in which they came: operations, routes
 * and meters.
 *
 * <p>Names come from code and from plans, are never forgotten, and are therefore bounded. Safe to
 * share; for start-up and publication, not for requests.
 */
public final class Catalogue {
  /** Operations, and routes, a process can know. */
  public static final int MAX_NAMES = 4_096;

  /** Meters a process can know: a set of them fits a long. */
  public static final int MAX_METERS = 64;

  private final Names<Operation> operations = new Names<>("operation", MAX_NAMES, Operation::new);
  private final Names<Route> routes = new Names<>("route", MAX_NAMES, Route::new);
  private final Names<Integer> meters = new Names<>("meter", MAX_METERS, (name, index) -> index);

  /** The operation of this name, which has 1 to 64 printable characters. */
  public Operation operation(final String name) {
    return operations.of(name);
  }

  /** The route of this name, which has 1 to 64 printable characters. */
  public Route route(final String name) {
    return routes.of(name);
  }

  /** The number of the meter of this name. */
  int meter(final String name) {
    return meters.of(name);
  }

  /** The set of these meters, as bits; every meter, also those to come, if there are none. */
  public long meterSet(final Iterable<String> names) {
    long set = 0;
    for (final String name : names) {
      set |= 1L << meter(name);
    }
    return set == 0 ? -1L : set;
  }

  /** The name of a meter by its number. */
  public String meterName(final int meter) {
    return meters.name(meter);
  }

  private static final class Names<T> {
    private final String kind;
    private final int most;
    private final BiFunction<String, Integer, T> maker;
    private final Map<String, T> known = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    Names(final String kind, final int most, final BiFunction<String, Integer, T> maker) {
      this.kind = kind;
      this.most = most;
      this.maker = maker;
    }

    synchronized T of(final String name) {
      final T found = known.get(name);
      if (found != null) {
        return found;
      }
      PolicyName.require(kind, name);
      if (names.size() == most) {
        throw new IllegalArgumentException(
            "there is no room for " + kind + " " + name + ": a process knows at most " + most);
      }
      final T made = maker.apply(name, names.size());
      names.add(name);
      known.put(name, made);
      return made;
    }

    synchronized String name(final int index) {
      return names.get(index);
    }
  }
}
