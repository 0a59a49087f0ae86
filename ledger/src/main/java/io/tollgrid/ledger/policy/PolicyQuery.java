package io.tollgrid.ledger.policy;

import io.tollgrid.ledger.Id128;
import java.util.List;

/** A question of an instance about policies; bounded, so that no answer is. */
public sealed interface PolicyQuery {
  /** Most ids one question may name, and most principals one page may hold. */
  int MAX_IDS = 512;

  /**
   * What is on record about these principals.
   *
   * @param principals 1 to {@link #MAX_IDS}
   */
  record ByPrincipal(List<Id128> principals) implements PolicyQuery {
    /** Keeps a copy. */
    public ByPrincipal {
      principals = bounded(principals);
    }
  }

  /**
   * The principals with a snapshot in force, in order of their ids.
   *
   * @param after only ids above this one; {@link Id128#ZERO} from the first
   * @param limit 1 to {@link #MAX_IDS}; a shorter answer is the last
   */
  record Page(Id128 after, int limit) implements PolicyQuery {
    /** Refuses a page that is none or unbounded. */
    public Page {
      if (limit < 1 || limit > MAX_IDS) {
        throw new IllegalArgumentException(
            "a page holds 1 to " + MAX_IDS + " principals, not " + limit);
      }
    }
  }

  /**
   * The policies of these accounts.
   *
   * @param accounts 1 to {@link #MAX_IDS}
   */
  record ByAccount(List<Id128> accounts) implements PolicyQuery {
    /** Keeps a copy. */
    public ByAccount {
      accounts = bounded(accounts);
    }
  }

  /**
   * The newest generation of a plan.
   *
   * @param name its name
   */
  record ByPlan(String name) implements PolicyQuery {
    /** Refuses what no plan can be called. */
    public ByPlan {
      PolicyName.require("plan", name);
    }
  }

  private static List<Id128> bounded(final List<Id128> ids) {
    if (ids.isEmpty() || ids.size() > MAX_IDS) {
      throw new IllegalArgumentException(
          "a question names 1 to " + MAX_IDS + " ids, not " + ids.size());
    }
    return List.copyOf(ids);
  }
}
