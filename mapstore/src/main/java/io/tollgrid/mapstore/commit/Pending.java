package io.tollgrid.mapstore.commit;

import io.tollgrid.ledger.Effects;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerCodec;
import io.tollgrid.ledger.LedgerCommand;
import io.tollgrid.ledger.store.Transition;
import java.util.ArrayList;
import java.util.List;

/**
 * A chain of transitions with its journal bytes, encoded on the caller's thread so that the lane
 * has less to do.
 *
 * <p>Most chains have one link. A longer one holds lease commands only, whose rows are told apart
 * by lease and version.
 */
final class Pending {
  private final List<Transition> chain;
  private final List<Entry> entries;

  /** What one writing transition leaves in the journal. */
  static final class Entry {
    private final Transition transition;
    private final byte[] request;
    private final byte[] outcome;

    private Entry(Transition transition) {
      final Effects effects = transition.effects();
      this.transition = transition;
      this.request = LedgerCodec.encodeRequest(effects.request());
      this.outcome = LedgerCodec.encodeOutcome(effects.outcome());
    }

    Transition transition() {
      return transition;
    }

    /** The request's canonical bytes. Not copied. */
    byte[] request() {
      return request;
    }

    /** The outcome's canonical bytes. Not copied. */
    byte[] outcome() {
      return outcome;
    }
  }

  Pending(List<Transition> chain) {
    this.chain = List.copyOf(chain);
    this.entries = new ArrayList<>(chain.size());
    for (int i = 0; i < this.chain.size(); i++) {
      final Transition transition = this.chain.get(i);
      if (i > 0) {
        requireLink(this.chain.get(i - 1), transition);
      }
      if (transition.effects().writes()) {
        entries.add(new Entry(transition));
      }
    }
  }

  /** All links, oldest first. */
  List<Transition> chain() {
    return chain;
  }

  /** The links that write, oldest first. */
  List<Entry> entries() {
    return entries;
  }

  Id128 account() {
    return chain.get(0).account();
  }

  boolean writes() {
    return !entries.isEmpty();
  }

  /** Rows of a batch this chain accounts for. */
  int weight() {
    return chain.size() + usageRows();
  }

  /** Usage rows it writes. */
  int usageRows() {
    int rows = 0;
    for (final Transition transition : chain) {
      rows += transition.effects().usage().size() + transition.effects().rejected().size();
    }
    return rows;
  }

  private static void requireLink(Transition before, Transition after) {
    if (!after.account().equals(before.account())
        || after.partition() != before.partition()
        || after.ownershipFence() != before.ownershipFence()
        || !isLeaseCommand(before)
        || !isLeaseCommand(after)) {
      throw new IllegalArgumentException(
          "a chain holds lease commands of one account under one fence");
    }
    if (after.effects().baseVersion() != before.effects().nextVersion()) {
      throw new IllegalArgumentException(
          "version "
              + after.effects().baseVersion()
              + " does not follow "
              + before.effects().nextVersion());
    }
  }

  private static boolean isLeaseCommand(Transition transition) {
    return transition.effects().request().command() instanceof LedgerCommand.LeaseCommand;
  }
}
