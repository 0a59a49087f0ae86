package io.tollgrid.mapstore.load;

/** The statement of a load, for the tests that look at its plan. */
public final class LoadPlan {
  /** As the loader sends it. */
  public static final String SQL = AccountRows.SELECT;

  private LoadPlan() {}
}
