package io.tollgrid.ledger.policy;

import java.util.Set;

/**
 * A set of names that are allowed: all of them, or those listed.
 *
 * @param all whether every name is allowed
 * @param names the names, empty if all are
 */
public record Permissions(boolean all, Set<String> names) {
  /** Everything. */
  public static final Permissions ALL = new Permissions(true, Set.of());

  /** Refuses a list beside "all": it would mean nothing. */
  public Permissions {
    names = Set.copyOf(names);
    if (all && !names.isEmpty()) {
      throw new IllegalArgumentException(
          "permissions allow everything or a list of names, not everything and " + names);
    }
  }

  /** These names and no others. */
  public static Permissions of(final String... names) {
    return new Permissions(false, Set.of(names));
  }

  /** Whether this name is allowed. */
  public boolean allow(final String name) {
    return all || names.contains(name);
  }
}
