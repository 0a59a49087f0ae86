package io.tollgrid.admission.account;

import io.tollgrid.admission.lease.LeaseDoorbell;
import io.tollgrid.ledger.AccountPolicy;
import io.tollgrid.ledger.Id128;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The accounts an instance knows. Whatever is not in it is unknown, and refused (R26).
 *
 * <p>An account stays once it was opened: its overage is bounded per process lifetime, so
 * forgetting it would refill it (R1).
 */
public final class AccountRegistry {
  private final ConcurrentMap<Id128, AccountState> accounts = new ConcurrentHashMap<>();

  /** The account, or null if it was never opened. Allocates nothing. */
  public @Nullable AccountState find(final Id128 account) {
    return accounts.get(account);
  }

  /**
   * The account, opened if it was not open yet.
   *
   * @param policy its policy if it is opened; null if none is known yet, then it is active and
   *     strict until one is published
   * @param owner makes the one who refills it, {@link AccountState#owner}; called once, while
   *     nobody else knows the account, and not to read it yet
   */
  public AccountState findOrOpen(
      final Id128 account,
      final @Nullable AccountPolicy policy,
      final Function<AccountState, ? extends LeaseDoorbell> owner) {
    return accounts.computeIfAbsent(account, id -> new AccountState(id, policy, owner, 1));
  }

  /**
   * Opens an account.
   *
   * @param policy its policy
   * @param doorbell wakes whoever refills it
   * @throws IllegalStateException if it is open already
   */
  public AccountState open(
      final Id128 account, final AccountPolicy policy, final LeaseDoorbell doorbell) {
    return open(account, policy, doorbell, 1);
  }

  /**
   * Opens an account that many threads use.
   *
   * @param policy its policy
   * @param doorbell wakes whoever refills it
   * @param shards into how many words what its requests contend on is split, 1 or more
   * @throws IllegalStateException if it is open already
   */
  public AccountState open(
      final Id128 account,
      final AccountPolicy policy,
      final LeaseDoorbell doorbell,
      final int shards) {
    final AccountState opened = new AccountState(account, policy, state -> doorbell, shards);
    if (accounts.putIfAbsent(account, opened) != null) {
      throw new IllegalStateException("account " + account + " is open already");
    }
    return opened;
  }

  /** Every account, in no order. */
  public Collection<AccountState> all() {
    return accounts.values();
  }
}
