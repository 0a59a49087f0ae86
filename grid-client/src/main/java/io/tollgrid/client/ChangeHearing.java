package io.tollgrid.client;

import io.tollgrid.grid.Change;
import io.tollgrid.grid.ChangeFeed;
import io.tollgrid.ledger.Id128;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes word of changes to whom they concern, on the instance's thread. Safe for use by any thread.
 */
final class ChangeHearing implements ChangeFeed.Listener {
  private final InstanceLoop loop;
  private final Membership accounts;
  private final @Nullable PolicyKeeper policies;
  private final @Nullable CredentialKeeper credentials;
  private final PolicyCounters counters;

  ChangeHearing(
      final InstanceLoop loop,
      final Membership accounts,
      final @Nullable PolicyKeeper policies,
      final @Nullable CredentialKeeper credentials,
      final PolicyCounters counters) {
    this.loop = loop;
    this.accounts = accounts;
    this.policies = policies;
    this.credentials = credentials;
    this.counters = counters;
  }

  @Override
  public void changed(final Change change) {
    counters.changesHeard.increment();
    if (change instanceof Change.FundingRaised raised) {
      ifMember(raised.account(), LeaseManager::fundingRaised);
    } else if (change instanceof Change.UnitsRecalled recalled) {
      ifMember(recalled.account(), manager -> manager.recalled(recalled.recall()));
    } else if (change instanceof Change.AccountChanged changed) {
      tell(keeper -> keeper.accountChanged(changed.account()));
    } else if (change instanceof Change.PlanChanged changed) {
      tell(keeper -> keeper.planChanged(changed.plan()));
    } else if (change instanceof Change.PrincipalChanged changed) {
      tell(keeper -> keeper.principalChanged(changed.principal()));
    } else if (change instanceof Change.CredentialRetired retired) {
      tellCredentials(keeper -> keeper.retired(retired.keyId()));
    } else if (change instanceof Change.CredentialsChanged) {
      tellCredentials(CredentialKeeper::changed);
    }
  }

  @Override
  public void lost() {
    counters.gaps.increment();
    tell(PolicyKeeper::gap);
    tellCredentials(CredentialKeeper::changed);
  }

  private void ifMember(final Id128 account, final Consumer<LeaseManager> then) {
    final LeaseManager manager = accounts.manager(account);
    if (manager != null) {
      loop.post(() -> then.accept(manager));
    }
  }

  private void tellCredentials(final Consumer<CredentialKeeper> what) {
    final CredentialKeeper keeper = credentials;
    if (keeper != null) {
      loop.post(() -> what.accept(keeper));
    }
  }

  private void tell(final Consumer<PolicyKeeper> what) {
    final PolicyKeeper keeper = policies;
    if (keeper != null) {
      loop.post(() -> what.accept(keeper));
    }
  }
}
