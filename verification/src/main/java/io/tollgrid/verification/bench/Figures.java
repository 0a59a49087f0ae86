package io.tollgrid.verification.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Arithmetic of figures. */
public final class Figures {
  private Figures() {}

  /** The median of values, of which there is at least one. */
  public static double median(List<Double> values) {
    final List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    final int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
