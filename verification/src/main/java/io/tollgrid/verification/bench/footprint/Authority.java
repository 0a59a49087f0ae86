package io.tollgrid.verification.bench.footprint;

import io.tollgrid.grid.PolicySource;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.AccountStatus;
import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.CapacityClass;
import io.tollgrid.ledger.DenialReport;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.Introduction;
import io.tollgrid.ledger.policy.MeterPrice;
import io.tollgrid.ledger.policy.OperationPrice;
import io.tollgrid.ledger.policy.Plan;
import io.tollgrid.ledger.policy.PolicyCodec;
import io.tollgrid.ledger.policy.PolicyQuery;
import io.tollgrid.ledger.policy.PolicySet;
import io.tollgrid.ledger.policy.PrincipalPolicy;
import io.tollgrid.ledger.policy.PrincipalSnapshot;
import io.tollgrid.ledger.policy.SnapshotLeg;
import io.tollgrid.ledger.policy.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Policies of numbered principals, two to an account, one plan for all. Every answer goes through
 * its canonical bytes, as over a grid: whoever asked shares no object with the authority, nor with
 * an answer before.
 */
final class Authority implements PolicySource {
  /** The one operation. */
  static final String OPERATION = "work";

  private static final int PRINCIPALS_PER_ACCOUNT = 2;
  private static final String PLAN = "standard";
  private static final int NUMBER_SHIFT = 32;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private int principals;
  private long reads;

  /** An authority that knows so many accounts. */
  Authority(int accounts) {
    principals = principals(accounts);
  }

  /** How many principals so many accounts have. */
  static int principals(int accounts) {
    return Math.multiplyExact(accounts, PRINCIPALS_PER_ACCOUNT);
  }

  /** Whom it knows. */
  int principals() {
    return principals;
  }

  /** Forgets all principals. */
  void forget() {
    principals = 0;
  }

  /** Questions it was asked. */
  long reads() {
    return reads;
  }

  /** The id of a principal; ids ascend with numbers. */
  static Id128 principal(int number) {
    return new Id128((number + 1L) << NUMBER_SHIFT, number * SPREAD);
  }

  /** The id of an account. */
  static Id128 account(int number) {
    return new Id128(number * SPREAD, (number + 1L) << NUMBER_SHIFT);
  }

  @Override
  public CompletionStage<PolicySet> read(PolicyQuery query) {
    reads++;
    return CompletableFuture.completedFuture(
        PolicyCodec.decodeSet(PolicyCodec.encodeSet(answer(query))));
  }

  @Override
  public CompletionStage<CredentialPage> credentials(Id128 after, int limit) {
    return CompletableFuture.failedStage(new UnsupportedOperationException("nobody proves any"));
  }

  @Override
  public CompletionStage<Introduction> introduce(Subject subject) {
    return CompletableFuture.failedStage(new UnsupportedOperationException("nobody is introduced"));
  }

  @Override
  public CompletionStage<Boolean> keep(DenialReport report) {
    return CompletableFuture.completedStage(true);
  }

  private PolicySet answer(PolicyQuery query) {
    if (query instanceof PolicyQuery.ByAccount by) {
      final Map<Id128, AccountPolicy> accounts = new HashMap<>();
      by.accounts().forEach(account -> accounts.put(account, policy()));
      return new PolicySet(accounts, List.of(), List.of());
    }
    if (query instanceof PolicyQuery.ByPlan) {
      return new PolicySet(Map.of(), List.of(plan()), List.of());
    }
    final List<PrincipalPolicy> found = new ArrayList<>();
    final Map<Id128, AccountPolicy> accounts = new HashMap<>();
    if (query instanceof PolicyQuery.ByPrincipal by) {
      by.principals().stream().map(Authority::number).forEach(n -> add(n, found, accounts));
    } else if (query instanceof PolicyQuery.Page page) {
      final int first = page.after().equals(Id128.ZERO) ? 0 : number(page.after()) + 1;
      for (int number = first; number < principals && found.size() < page.limit(); number++) {
        add(number, found, accounts);
      }
    }
    return new PolicySet(accounts, found.isEmpty() ? List.of() : List.of(plan()), found);
  }

  private void add(int number, List<PrincipalPolicy> found, Map<Id128, AccountPolicy> accounts) {
    if (number >= 0 && number < principals) {
      final Id128 account = account(number / PRINCIPALS_PER_ACCOUNT);
      found.add(
          new PrincipalPolicy.Published(
              new PrincipalSnapshot(
                  principal(number), 1, PLAN, List.of(SnapshotLeg.of(account)), 0)));
      accounts.put(account, policy());
    }
  }

  private static int number(Id128 principal) {
    return (int) (principal.high() >>> NUMBER_SHIFT) - 1;
  }

  private static AccountPolicy policy() {
    return new AccountPolicy(
        1, AccountStatus.ACTIVE, CapacityClass.BEST_EFFORT, AccountTerms.STRICT, false);
  }

  private static Plan plan() {
    return Plan.open(PLAN, OperationPrice.of(OPERATION, MeterPrice.perItem("units")));
  }
}
