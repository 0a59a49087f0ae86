package io.tollgrid.node.local;

import org.jspecify.annotations.Nullable;

/** A local system that cannot be started here, in one line for a person. */
public final class LocalSystemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LocalSystemException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
