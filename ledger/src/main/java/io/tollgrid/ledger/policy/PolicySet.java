package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Policies as one transaction of the authority saw them, complete in itself: with a snapshot come
 * its plan and the policies of its accounts, so that whoever takes them in order (accounts, plans,
 * principals) never meets a name it does not know.
 *
 * @param accounts policies by account
 * @param plans newest generations, each name once
 * @param principals what is on record, each principal once, in order of their ids
 */
public record PolicySet(
    Map<Id128, AccountPolicy> accounts, List<Plan> plans, List<PrincipalPolicy> principals) {
  /** Nothing. */
  public static final PolicySet EMPTY = new PolicySet(Map.of(), List.of(), List.of());

  /** Keeps copies, in the order they came: what is taken in from it happens in one order. */
  public PolicySet {
    accounts = Collections.unmodifiableMap(new LinkedHashMap<>(accounts));
    plans = List.copyOf(plans);
    principals = List.copyOf(principals);
  }
}
