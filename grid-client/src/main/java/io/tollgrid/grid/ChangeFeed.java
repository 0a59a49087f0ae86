package io.tollgrid.grid;

/**
 * How word of changes gets from those who make them to every instance: best effort, in no order.
 * Thread-safe.
 */
public interface ChangeFeed {
  /** Hears of changes; called on threads of the feed, and must not block. */
  interface Listener {
    /** Something has changed. */
    void changed(Change change);

    /** Word of any number of changes may have been lost. */
    void lost();
  }

  /** Ends a subscription. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** Sends word. Neither blocks nor throws. */
  void publish(Change change);

  /** Sends everything that comes from now on to {@code listener}. */
  Subscription subscribe(Listener listener);

  /** A feed that carries nothing: everything is found out by its backstop. */
  static ChangeFeed silent() {
    return new ChangeFeed() {
      @Override
      public void publish(Change change) {}

      @Override
      public Subscription subscribe(Listener listener) {
        return () -> {};
      }
    };
  }
}
