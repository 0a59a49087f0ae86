package io.tollgrid.node.demo;

import io.tollgrid.ledger.AccountTerms;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.port.IdSource;
import java.util.ArrayList;
import java.util.List;

/**
 * One customer of the demo.
 *
 * @param id its account
 * @param temper what kind of customer it is
 */
record DemoAccount(Id128 id, Temper temper) {
  /** Kinds of customers; between them every refusal for want of funds is seen. */
  enum Temper {
    /** Has more than it can spend. */
    STEADY(24, 0, 400_000_000),
    /** Pays a fixed price per call and spends its last unit. */
    FIXED_PRICE(6, 0, 30_000),
    /** Asks for work of any size and is left with less than the next request needs. */
    UNEVEN(6, 0, 80_000),
    /** May run on a little overage, which one request of usual size exceeds. */
    ELASTIC(4, 100, 20_000);

    private final int accounts;
    private final long overageCapUnits;
    private final long topUpUnits;

    Temper(int accounts, long overageCapUnits, long topUpUnits) {
      this.accounts = accounts;
      this.overageCapUnits = overageCapUnits;
      this.topUpUnits = topUpUnits;
    }

    AccountTerms terms() {
      return overageCapUnits == 0 ? AccountTerms.STRICT : AccountTerms.elastic(overageCapUnits);
    }

    long topUpUnits() {
      return topUpUnits;
    }
  }

  /** The customers of one demo. */
  static List<DemoAccount> population(IdSource ids) {
    final List<DemoAccount> population = new ArrayList<>();
    for (final Temper temper : Temper.values()) {
      for (int i = 0; i < temper.accounts; i++) {
        population.add(new DemoAccount(ids.randomId(), temper));
      }
    }
    return population;
  }
}
