package io.tollgrid.grid;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.RowKey;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Reads rows outside an entry, on the owner but off its partition threads. */
final class FetchRows implements Callable<byte[]>, HazelcastInstanceAware {
  private final Id128 account;
  private final List<RowKey> keys;
  private @Nullable HazelcastInstance member;

  FetchRows(Id128 account, List<RowKey> keys) {
    this.account = account;
    this.keys = List.copyOf(keys);
  }

  Id128 account() {
    return account;
  }

  List<RowKey> keys() {
    return keys;
  }

  @Override
  public void setHazelcastInstance(HazelcastInstance instance) {
    member = instance;
  }

  @Override
  public byte[] call() {
    if (member == null) {
      throw new IllegalStateException("the grid did not say which member this is");
    }
    return LedgerCodec.encodeRows(LedgerMember.of(member).rows().fetch(account, Set.copyOf(keys)));
  }
}
