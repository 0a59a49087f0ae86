package io.tollgrid.admission.plan;

/** A way into the service, as a handle: got once from a {@link Catalogue} by its name. */
public final class Route {
  private final String name;
  private final int index;

  Route(final String name, final int index) {
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
    return "route " + name;
  }
}
