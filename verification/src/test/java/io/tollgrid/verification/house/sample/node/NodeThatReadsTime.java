package io.tollgrid.verification.house.sample.node;

/** Breaks the one clock. */
final class NodeThatReadsTime {
  long now() {
    return System.nanoTime();
  }
}
