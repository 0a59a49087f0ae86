package io.tollgrid.grid;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.RowKey;
import java.util.List;
import java.util.Set;

/** Reads rows outside an entry, on its owner. */
final class FetchRows extends MemberTask {
  private final Id128 account;
  private final List<RowKey> keys;

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
  byte[] on(LedgerMember services) {
    return LedgerCodec.encodeRows(services.rows().fetch(account, Set.copyOf(keys)));
  }
}
