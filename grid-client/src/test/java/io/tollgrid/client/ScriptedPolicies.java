package io.tollgrid.client;

import io.tollgrid.grid.PolicySource;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.CredentialRecord;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import io.tollgrid.ledger.policy.Subject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * An authority whose contents a test writes, and whose answers it may keep back or fail. An answer
 * is what stood there when the question came.
 */
final class ScriptedPolicies implements PolicySource {
  /** A question that has no answer yet. */
  record Held(PolicyQuery query, PolicySet answer, CompletableFuture<PolicySet> future) {
    void release() {
      future.complete(answer);
    }

    void fail() {
      future.completeExceptionally(new IllegalStateException("the authority is away"));
    }
  }

  final Map<Id128, AccountPolicy> accounts = new HashMap<>();
  final Map<String, Plan> plans = new HashMap<>();
  final TreeMap<Id128, PrincipalPolicy> principals = new TreeMap<>();
  final List<CredentialRecord> credentials = new ArrayList<>();
  long revision;
  int pagesAsked;
  final List<PolicyQuery> asked = new ArrayList<>();
  final Deque<Held> held = new ArrayDeque<>();
  boolean holding;
  boolean away;

  void account(Id128 account, long generation, AccountStatus status) {
    account(account, generation, status, AccountTerms.STRICT);
  }

  void account(Id128 account, long generation, AccountStatus status, AccountTerms terms) {
    accounts.put(
        account, new AccountPolicy(generation, status, CapacityClass.BEST_EFFORT, terms, false));
  }

  void plan(String name, long generation, long unitsPerItem) {
    plans.put(
        name,
        Plan.open(name, OperationPrice.of("work", new MeterPrice("units", 0, unitsPerItem, 0)))
            .withGeneration(generation));
  }

  void snapshot(Id128 principal, long generation, String plan, Id128 account) {
    principals.put(
        principal,
        new PrincipalPolicy.Published(
            new PrincipalSnapshot(
                principal, generation, plan, List.of(SnapshotLeg.of(account)), 0)));
  }

  void revoked(Id128 principal, long generation) {
    principals.put(principal, new PrincipalPolicy.Revoked(principal, generation));
  }

  @Override
  public CompletionStage<PolicySet> read(PolicyQuery query) {
    asked.add(query);
    if (away) {
      return CompletableFuture.failedStage(new IllegalStateException("the authority is away"));
    }
    final Held question = new Held(query, answer(query), new CompletableFuture<>());
    if (holding) {
      held.add(question);
    } else {
      question.release();
    }
    return question.future();
  }

  /** Enters a credential; the revision rises. */
  void issue(CredentialRecord credential) {
    credentials.add(credential);
    credentials.sort((one, other) -> one.keyId().compareTo(other.keyId()));
    revision++;
  }

  /** Takes one out; the revision rises. */
  void retire(Id128 keyId) {
    credentials.removeIf(credential -> credential.keyId().equals(keyId));
    revision++;
  }

  /** A page of credentials, each an answer of its own that may be kept back. */
  record HeldPage(CredentialPage page, CompletableFuture<CredentialPage> future) {
    void release() {
      future.complete(page);
    }
  }

  final Deque<HeldPage> heldPages = new ArrayDeque<>();

  @Override
  public CompletionStage<CredentialPage> credentials(Id128 after, int limit) {
    pagesAsked++;
    if (away) {
      return CompletableFuture.failedStage(new IllegalStateException("the authority is away"));
    }
    final HeldPage page = new HeldPage(page(after, limit), new CompletableFuture<>());
    if (holding) {
      heldPages.add(page);
    } else {
      page.release();
    }
    return page.future();
  }

  /**
   * What becomes of subjects that are introduced: nothing is published for them unless it says so.
   */
  Function<Subject, Introduction> introducing = subject -> Introduction.NO_PLAN;

  @Override
  public CompletionStage<Introduction> introduce(Subject subject) {
    return away
        ? CompletableFuture.failedStage(new IllegalStateException("the authority is away"))
        : CompletableFuture.completedStage(introducing.apply(subject));
  }

  /** Reports of denials that came, repeated ones too. */
  final List<DenialReport> denials = new ArrayList<>();

  @Override
  public CompletionStage<Boolean> keep(DenialReport report) {
    denials.add(report);
    return away
        ? CompletableFuture.failedStage(new IllegalStateException("the authority is away"))
        : CompletableFuture.completedStage(true);
  }

  /** The credentials after one, as they stand now. */
  CredentialPage page(Id128 after, int limit) {
    return new CredentialPage(
        revision,
        credentials.stream()
            .filter(credential -> credential.keyId().compareTo(after) > 0)
            .limit(limit)
            .toList());
  }

  /** Policies as they stand now, to be asked later; credentials are not among them. */
  ScriptedPolicies copy() {
    final ScriptedPolicies copy = new ScriptedPolicies();
    copy.accounts.putAll(accounts);
    copy.plans.putAll(plans);
    copy.principals.putAll(principals);
    return copy;
  }

  /** What stands here now. */
  PolicySet answer(PolicyQuery query) {
    if (query instanceof PolicyQuery.ByAccount by) {
      final Map<Id128, AccountPolicy> known = new HashMap<>(accounts);
      known.keySet().retainAll(by.accounts());
      return new PolicySet(known, List.of(), List.of());
    }
    if (query instanceof PolicyQuery.ByPlan by) {
      final Plan plan = plans.get(by.name());
      return new PolicySet(Map.of(), plan == null ? List.of() : List.of(plan), List.of());
    }
    if (query instanceof PolicyQuery.ByPrincipal by) {
      final TreeMap<Id128, PrincipalPolicy> known = new TreeMap<>(principals);
      known.keySet().retainAll(by.principals());
      return whole(List.copyOf(known.values()));
    }
    final PolicyQuery.Page page = (PolicyQuery.Page) query;
    return whole(
        principals.tailMap(page.after(), false).values().stream()
            .filter(PrincipalPolicy.Published.class::isInstance)
            .limit(page.limit())
            .toList());
  }

  private PolicySet whole(List<PrincipalPolicy> found) {
    final Map<Id128, AccountPolicy> legs = new HashMap<>();
    final Map<String, Plan> named = new HashMap<>();
    for (final PrincipalPolicy principal : found) {
      if (principal instanceof PrincipalPolicy.Published published) {
        final Plan plan = plans.get(published.snapshot().plan());
        if (plan != null) {
          named.put(plan.name(), plan);
        }
        for (final SnapshotLeg leg : published.snapshot().legs()) {
          final AccountPolicy policy = accounts.get(leg.account());
          if (policy != null) {
            legs.put(leg.account(), policy);
          }
        }
      }
    }
    return new PolicySet(legs, List.copyOf(named.values()), found);
  }
}
