package io.tollgrid.client.config;

/** A configuration that nothing is started with. The message is one line and names the key. */
public final class ConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** A refusal in words for the person who wrote the configuration. */
  public ConfigException(final String message) {
    super(message);
  }

  /** A refusal in words for the person who wrote the configuration, and what led to it. */
  public ConfigException(final String message, final Throwable cause) {
    super(message, cause);
  }
}
