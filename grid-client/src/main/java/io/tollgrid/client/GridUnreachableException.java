package io.tollgrid.client;

import io.tollgrid.client.config.ValueType;
import org.jspecify.annotations.Nullable;

/** The grid of a configuration could not be entered. The message is one line for a person. */
public final class GridUnreachableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private GridUnreachableException(final String message, final @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Nobody answered who belongs to the cluster. */
  static GridUnreachableException notFound(final InstanceConfig.Cluster cluster) {
    return new GridUnreachableException(
        "the cluster \""
            + cluster.terms().clusterName()
            + "\" did not answer at "
            + String.join(", ", cluster.terms().members())
            + " within "
            + ValueType.showDuration(cluster.connectTimeout())
            + "; see that its members run, that cluster.name is theirs, and that cluster.addresses"
            + " lead to them from here",
        null);
  }

  /** Something here stood in the way, or the cluster refused. */
  static GridUnreachableException notEntered(
      final InstanceConfig.Cluster cluster, final Throwable cause) {
    final String message = cause.getMessage();
    return new GridUnreachableException(
        "the cluster \""
            + cluster.terms().clusterName()
            + "\" could not be entered: "
            + (message == null ? cause.toString() : message.lines().findFirst().orElse("")),
        cause);
  }
}
