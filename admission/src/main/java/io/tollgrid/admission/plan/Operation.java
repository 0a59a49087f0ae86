package io.tollgrid.admission.plan;

/**
 * A kind of work, as a handle: got once from a {@link Catalogue} by its name and passed with every
 * request, so that finding its price costs one array access.
 */
public final class Operation {
  private final String name;
  private final int index;

  Operation(final String name, final int index) {
    this.name = name;
    this.index = index;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  int index() {
    return index;
  }

  @Override
  public String toString() {
    return "operation " + name;
  }
}
