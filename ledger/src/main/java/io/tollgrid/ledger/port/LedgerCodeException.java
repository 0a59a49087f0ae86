package io.tollgrid.ledger.port;

import io.tollgrid.ledger.LedgerCode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A failure of the ledger's own store or loader, which says what it means for the attempt.
 *
 * <p>The code travels in the message, because a custom exception may not survive the grid's client
 * protocol as a class. Any exception from which no code can be read has an unknown outcome.
 */
public final class LedgerCodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Pattern CODE = Pattern.compile("\\[tollgrid:([A-Z_]{1,32})\\]");
  private static final int MAX_CAUSES = 16;

  private final LedgerCode code;

  /** A failure with a message for a person. */
  public LedgerCodeException(LedgerCode code, String message) {
    this(code, message, null);
  }

  /** A failure with a message for a person and what led to it. */
  public LedgerCodeException(LedgerCode code, String message, @Nullable Throwable cause) {
    super("[tollgrid:" + code.name() + "] " + message, cause);
    this.code = code;
  }

  /** What the failure means for the attempt. */
  public LedgerCode code() {
    return code;
  }

  /**
   * The code a failure or one of its causes carries, also after the grid rebuilt it as another
   * class.
   */
  public static Optional<LedgerCode> codeOf(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof LedgerCodeException coded) {
        return Optional.of(coded.code);
      }
      final Optional<LedgerCode> inMessage = codeIn(cause.getMessage());
      if (inMessage.isPresent()) {
        return inMessage;
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  private static Optional<LedgerCode> codeIn(@Nullable String message) {
    final Matcher matcher = CODE.matcher(message == null ? "" : message);
    if (!matcher.find()) {
      return Optional.empty();
    }
    for (final LedgerCode code : LedgerCode.values()) {
      if (code.name().equals(matcher.group(1))) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
