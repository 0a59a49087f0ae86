package io.tollgrid.node;

/**
 * How a node came to its end.
 *
 * @param kind what it means for whoever runs the process
 * @param reason for a person
 */
public record NodeEnd(Kind kind, String reason) {
  /** What an end means for whoever runs the process. */
  public enum Kind {
    /** It was asked to stop, and did. */
    STOPPED,
    /** It works no longer as it should, and a new process would. */
    RESTART,
    /** Its grid member ended by itself. */
    DIED
  }
}
