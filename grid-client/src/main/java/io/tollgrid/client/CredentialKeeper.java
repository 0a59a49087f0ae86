package io.tollgrid.client;

import io.tollgrid.admission.session.CredentialVerifier;
import io.tollgrid.grid.PolicySource;
import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.policy.CredentialPage;
import io.tollgrid.ledger.policy.CredentialRecord;
import io.tollgrid.ledger.policy.PolicyQuery;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the credentials in force, all of them, page by page, again and again (R44). Confined to the
 * instance's thread.
 */
final class CredentialKeeper extends Duty {
  /*
   * A reading is one set of pages under one revision. If the revision has moved between two pages, what was read belongs
   * to no state of the register: it is thrown away, and reading begins anew. An empty set is an answer like any other.
   * The age of a set counts from when its reading began, since whatever was retired a moment later may still be in it.
   */
  private static final Logger LOG = LoggerFactory.getLogger(CredentialKeeper.class);

  private final PolicySource source;
  private final InstanceContext context;
  private final PolicySettings settings;
  private final CredentialProjection projection;
  private final PolicyCounters counters;
  private final Backoff failures;
  private final List<CredentialRecord> read = new ArrayList<>();
  private long revision;
  private boolean reading;
  private long begunNanos;
  private long nextNanos;
  private boolean again;
  private volatile boolean everCurrent;

  CredentialKeeper(
      final PolicySource source,
      final CredentialKey key,
      final InstanceContext context,
      final PolicyCounters counters) {
    this.source = source;
    this.context = context;
    this.settings = context.settings().policies();
    this.projection = new CredentialProjection(key);
    this.counters = counters;
    this.failures =
        new Backoff(settings.firstBackoffNanos(), settings.maxBackoffNanos(), context.random());
  }

  /** What secrets are proved against. */
  CredentialVerifier verifier() {
    return projection;
  }

  /** Whether all credentials were read at least once. Any thread. */
  boolean isCurrent() {
    return everCurrent;
  }

  /** Word has come that a credential was taken out of force. */
  void retired(final Id128 keyId) {
    projection.retired(keyId, context.loop().nowNanos());
    changed();
  }

  /** Word has come that credentials changed, or may have. */
  void changed() {
    again = reading;
    nextNanos = Math.min(nextNanos, context.loop().nowNanos());
    context.loop().callOn(this, context.loop().nowNanos());
  }

  @Override
  long perform(final long nowNanos) {
    if (!reading && nowNanos >= nextNanos) {
      begin(nowNanos);
    }
    return reading ? NEVER : nextNanos;
  }

  private void begin(final long nowNanos) {
    reading = true;
    again = false;
    begunNanos = nowNanos;
    read.clear();
    ask(Id128.ZERO);
  }

  private void ask(final Id128 after) {
    final var unused =
        Questions.ask(() -> source.credentials(after, PolicyQuery.MAX_IDS))
            .whenComplete((page, failure) -> context.loop().post(() -> answered(page, failure)));
  }

  private void answered(final @Nullable CredentialPage page, final @Nullable Throwable failure) {
    if (page == null) {
      failed(failure);
      return;
    }
    counters.reads.increment();
    if (read.isEmpty()) {
      revision = page.revision();
    } else if (page.revision() != revision) {
      counters.movedReads.increment();
      end(context.loop().nowNanos());
      return;
    }
    read.addAll(page.credentials());
    if (page.credentials().size() < PolicyQuery.MAX_IDS) {
      finish();
    } else {
      ask(read.get(read.size() - 1).keyId());
    }
  }

  private void finish() {
    final long nowNanos = context.loop().nowNanos();
    failures.reset();
    if (projection.replace(
        read, begunNanos, Math.addExact(begunNanos, settings.staleAfterNanos()))) {
      everCurrent = true;
    } else {
      counters.unsafe.increment();
      LOG.error(
          "the credentials of revision {} contradict themselves and are not taken; what was read"
              + " before is good for {} s more at most",
          revision,
          Math.max(0, projection.goodUntilNanos() - nowNanos) / 1_000_000_000L);
    }
    end(
        again
            ? nowNanos
            : nowNanos + Backoff.jittered(settings.refreshNanos() / 2, context.random()));
  }

  private void failed(final @Nullable Throwable failure) {
    counters.failedReads.increment();
    if (failures.isWorthAWarning()) {
      LOG.warn("credentials have not been readable for a while", failure);
    } else {
      LOG.debug("credentials could not be read; they will be again", failure);
    }
    end(context.loop().nowNanos() + failures.nextNanos());
  }

  private void end(final long untilNanos) {
    reading = false;
    read.clear();
    nextNanos = untilNanos;
    context.loop().callOn(this, nextNanos);
  }
}
