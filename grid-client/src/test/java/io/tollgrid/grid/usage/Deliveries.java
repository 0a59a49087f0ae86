package io.tollgrid.grid.usage;

import io.tollgrid.ledger.Bits256;
import io.tollgrid.ledger.Funding;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LegRole;
import io.tollgrid.ledger.UsageDelivery;
import io.tollgrid.ledger.UsageEvent;
import java.util.List;
import java.util.stream.IntStream;

/** Usage for tests. */
final class Deliveries {
  static final Id128 WRITER = new Id128(7, 7);

  private Deliveries() {}

  static Id128 account(int n) {
    return new Id128(0xACC, n);
  }

  static UsageDelivery delivery(int account, long sequence) {
    return new UsageDelivery(
        account(account),
        new UsageEvent(
            Id128.timeOrdered(1_700_000_000_000L, 1, sequence),
            0,
            LegRole.BILLING,
            new Funding.Unfunded(),
            sequence,
            1,
            List.of(),
            Id128.ZERO,
            Bits256.ZERO,
            1_700_000_000_000_000_000L,
            WRITER,
            sequence));
  }

  /** A batch with one event for each of the accounts. */
  static UsageBatch batch(long number, int... accounts) {
    return new UsageBatch(
        WRITER,
        number,
        IntStream.range(0, accounts.length)
            .mapToObj(i -> delivery(accounts[i], number * 1_000 + i))
            .toList());
  }

  static TakenUsage taken(UsageBatch batch, int position) {
    return new TakenUsage(batch.key(), position, batch.deliveries().get(position));
  }
}
