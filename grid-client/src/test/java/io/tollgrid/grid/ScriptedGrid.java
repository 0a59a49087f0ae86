package io.tollgrid.grid;

import io.tollgrid.ledger.Id128;
import io.tollgrid.ledger.LedgerRequest;
import io.tollgrid.ledger.RowKey;
import io.tollgrid.ledger.StoredRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A grid whose answers are written down beforehand; the last one repeats. */
final class ScriptedGrid implements LedgerGrid {
  private final Deque<Function<LedgerRequest, CompletionStage<LedgerReply>>> script =
      new ArrayDeque<>();
  private final List<LedgerRequest> attempts = new ArrayList<>();
  private final List<List<RowKey>> fetches = new ArrayList<>();
  private int evictions;
  private Map<RowKey, Optional<StoredRow>> rows = new HashMap<>();

  ScriptedGrid reply(LedgerReply reply) {
    script.add(request -> CompletableFuture.completedFuture(reply));
    return this;
  }

  ScriptedGrid failure(Throwable failure) {
    script.add(request -> CompletableFuture.failedFuture(failure));
    return this;
  }

  ScriptedGrid pending(CompletableFuture<LedgerReply> future) {
    script.add(request -> future);
    return this;
  }

  ScriptedGrid rows(Map<RowKey, Optional<StoredRow>> stored) {
    rows = stored;
    return this;
  }

  synchronized List<LedgerRequest> attempts() {
    return List.copyOf(attempts);
  }

  synchronized List<List<RowKey>> fetches() {
    return List.copyOf(fetches);
  }

  synchronized int evictions() {
    return evictions;
  }

  @Override
  public synchronized CompletionStage<LedgerReply> attempt(LedgerProcessor processor) {
    attempts.add(processor.request());
    final var next = script.size() > 1 ? script.remove() : script.element();
    return next.apply(processor.request());
  }

  @Override
  public CompletionStage<LedgerReply> recall(Id128 account) {
    return CompletableFuture.completedFuture(new LedgerReply(null, null, 0, 0, null));
  }

  @Override
  public synchronized CompletionStage<Map<RowKey, Optional<StoredRow>>> rows(
      Id128 account, List<RowKey> keys) {
    fetches.add(keys);
    return CompletableFuture.completedFuture(rows);
  }

  @Override
  public synchronized void evict(Id128 account) {
    evictions++;
  }
}
