package io.tollgrid.client;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.PolicyQuery;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What has to be read, each thing once however often it was asked for. What changed comes before
 * what is only refreshed, and lookups of whom nothing is known take turns with that: however many
 * there are, a refresh gets on. Confined to the instance's thread.
 */
final class PolicyDue {
  /** In the order in which they became due; a set that was emptied has no memory of its size. */
  private static final class Ids {
    private Set<Id128> due = Set.of();

    void add(final Id128 id) {
      if (due.isEmpty()) {
        due = new LinkedHashSet<>();
      }
      due.add(id);
    }

    boolean isEmpty() {
      return due.isEmpty();
    }

    /** Takes out as many as fit in a question. */
    List<Id128> take() {
      final List<Id128> taken = new ArrayList<>();
      for (final Iterator<Id128> next = due.iterator();
          next.hasNext() && taken.size() < PolicyQuery.MAX_IDS; ) {
        taken.add(next.next());
        next.remove();
      }
      if (due.isEmpty()) {
        due = Set.of();
      }
      return taken;
    }
  }

  private final Ids accounts = new Ids();
  private final Set<String> plans = new LinkedHashSet<>();
  private final Ids principals = new Ids();
  private final Ids lookups = new Ids();
  private boolean lookedUpLast;
  private @Nullable Id128 scanAfter;

  void account(final Id128 account) {
    accounts.add(account);
  }

  void plan(final String name) {
    plans.add(name);
  }

  void principal(final Id128 principal) {
    principals.add(principal);
  }

  /** Somebody whom a request asked for in vain, or whose negative answer has run out. */
  void lookup(final Id128 principal) {
    lookups.add(principal);
  }

  /** Everybody, page by page; goes on if that is under way. */
  void scan() {
    if (scanAfter == null) {
      scanAfter = Id128.ZERO;
    }
  }

  /** A page has been read. */
  void scanned(final @Nullable Id128 last) {
    scanAfter = last;
  }

  boolean isEmpty() {
    return isCaughtUp() && lookups.isEmpty();
  }

  /** Whether nothing is due but lookups. */
  boolean isCaughtUp() {
    return accounts.isEmpty() && plans.isEmpty() && principals.isEmpty() && scanAfter == null;
  }

  /** The next question, or null if nothing is due. A page stays due until it was read. */
  @Nullable PolicyQuery take() {
    if (!accounts.isEmpty()) {
      return new PolicyQuery.ByAccount(accounts.take());
    }
    if (!plans.isEmpty()) {
      final Iterator<String> first = plans.iterator();
      final String plan = first.next();
      first.remove();
      return new PolicyQuery.ByPlan(plan);
    }
    if (!principals.isEmpty()) {
      return new PolicyQuery.ByPrincipal(principals.take());
    }
    final Id128 after = scanAfter;
    lookedUpLast = !lookups.isEmpty() && (after == null || !lookedUpLast);
    if (lookedUpLast) {
      return new PolicyQuery.ByPrincipal(lookups.take());
    }
    return after == null ? null : new PolicyQuery.Page(after, PolicyQuery.MAX_IDS);
  }

  /** A question got no answer. */
  void again(final PolicyQuery query) {
    if (query instanceof PolicyQuery.ByAccount by) {
      by.accounts().forEach(accounts::add);
    } else if (query instanceof PolicyQuery.ByPlan by) {
      plans.add(by.name());
    } else if (query instanceof PolicyQuery.ByPrincipal by) {
      by.principals().forEach(principals::add);
    }
  }
}
