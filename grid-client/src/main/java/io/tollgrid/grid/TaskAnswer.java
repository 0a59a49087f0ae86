package io.tollgrid.grid;

import com.hazelcast.core.ExecutionCallback;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The answer of a {@link MemberTask}, once it has come and was understood. */
final class TaskAnswer<T> extends CompletableFuture<T> implements ExecutionCallback<byte[]> {
  private final Function<byte[], T> decode;

  TaskAnswer(Function<byte[], T> decode) {
    this.decode = decode;
  }

  @Override
  public void onResponse(byte[] bytes) {
    try {
      complete(decode.apply(bytes));
    } catch (RuntimeException e) {
      completeExceptionally(e);
    }
  }

  @Override
  public void onFailure(Throwable failure) {
    completeExceptionally(failure);
  }
}
