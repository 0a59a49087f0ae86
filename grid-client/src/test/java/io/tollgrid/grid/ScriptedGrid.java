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
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A grid whose answers are written down beforehand; the last one repeats. */
final class ScriptedGrid implements LedgerGrid {
  private final Deque<Supplier<CompletionStage<List<LedgerReply>>>> script = new ArrayDeque<>();
  private final List<List<LedgerRequest>> attempts = new ArrayList<>();
  private final List<List<RowKey>> fetches = new ArrayList<>();
  private int evictions;
  private CountDownLatch evictionsOpen = new CountDownLatch(0);
  private @Nullable Throwable rowsFailure;
  private Map<RowKey, Optional<StoredRow>> rows = new HashMap<>();

  ScriptedGrid reply(LedgerReply... replies) {
    script.add(() -> CompletableFuture.completedFuture(List.of(replies)));
    return this;
  }

  ScriptedGrid failure(Throwable failure) {
    script.add(() -> CompletableFuture.failedFuture(failure));
    return this;
  }

  ScriptedGrid thrown(RuntimeException failure) {
    script.add(
        () -> {
          throw failure;
        });
    return this;
  }

  ScriptedGrid pending(CompletableFuture<LedgerReply> future) {
    script.add(() -> future.thenApply(List::of));
    return this;
  }

  ScriptedGrid rows(Map<RowKey, Optional<StoredRow>> stored) {
    rows = stored;
    return this;
  }

  /** The first request of each attempt. */
  synchronized List<LedgerRequest> attempts() {
    return attempts.stream().map(chain -> chain.get(0)).toList();
  }

  /** All requests of each attempt. */
  synchronized List<List<LedgerRequest>> chains() {
    return List.copyOf(attempts);
  }

  synchronized List<List<RowKey>> fetches() {
    return List.copyOf(fetches);
  }

  ScriptedGrid rowsFail(Throwable failure) {
    rowsFailure = failure;
    return this;
  }

  synchronized int evictions() {
    return evictions;
  }

  @Override
  public synchronized CompletionStage<List<LedgerReply>> attempt(LedgerProcessor processor) {
    attempts.add(processor.requests());
    return (script.size() > 1 ? script.remove() : script.element()).get();
  }

  @Override
  public CompletionStage<LedgerReply> recall(Id128 account) {
    return CompletableFuture.completedFuture(new LedgerReply(null, null, 0, 0, null));
  }

  @Override
  public synchronized CompletionStage<Map<RowKey, Optional<StoredRow>>> rows(
      Id128 account, List<RowKey> keys) {
    fetches.add(keys);
    return rowsFailure == null
        ? CompletableFuture.completedFuture(rows)
        : CompletableFuture.failedFuture(rowsFailure);
  }

  /** Evictions do not come back before this opens. */
  ScriptedGrid evictionsWaitFor(CountDownLatch latch) {
    evictionsOpen = latch;
    return this;
  }

  @Override
  public void evict(Id128 account) {
    synchronized (this) {
      evictions++;
    }
    try {
      evictionsOpen.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
