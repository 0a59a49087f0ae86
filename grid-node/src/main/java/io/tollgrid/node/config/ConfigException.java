package io.tollgrid.node.config;

/** A configuration that a node refuses to start with. The message is one line and names the key. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A refusal in words for the person who wrote the configuration. */
  public ConfigException(String message) {
    super(message);
  }

  /** A refusal in words for the person who wrote the configuration, and what led to it. */
  public ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
