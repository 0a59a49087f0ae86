package io.tollgrid.verification.simulation;

/**
 * The planted bugs one by one, with the names reports use; in the order of the components of {@link
 * Defects}.
 */
enum PlantedBug {
  NO_VERSION_CHECK("no version check"),
  NO_FENCE_CHECK("no fence check"),
  ANSWERS_UNCHECKED("answers unchecked"),
  FENCE_KEPT_AFTER_UNKNOWN("fence kept after an unknown outcome"),
  UNKNOWN_TREATED_AS_FAILED("unknown treated as failed"),
  REINSTATED_AFTER_UNKNOWN("reinstated after an unknown consolidation"),
  UPSERT_INSTEAD_OF_INSERT("upsert instead of insert"),
  CREDIT_ON_RECLAIM("credit on reclaim"),
  ACKNOWLEDGED_BEFORE_COMMIT("acknowledge before commit"),
  SCHEDULE_NOW_RETRIED("schedule now retried"),
  WRITER_ID_REUSED("writer id reused");

  private final String label;

  PlantedBug(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  @SuppressWarnings("EnumOrdinal") // both lists are written in the same order, a test compares them
  Defects defects() {
    return Defects.only(ordinal());
  }
}
