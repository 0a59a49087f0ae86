package io.tollgrid.verification.faults.plan;

import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.verification.faults.plan.NemesisSchedule.Kind;
import java.util.List;
import java.util.Set;

/**
 * A bug that is planted into every member of a cluster, to see whether its runs find it.
 *
 * @param spelling what it is called on a command line
 * @param defects what a member gets
 * @param shownBy what should bring it to light, any of them
 */
public record PlantedDefect(String spelling, Defects defects, Set<Kind> shownBy) {
  private static final Set<Kind> TWO_OWNERS = Set.of(Kind.FREEZE, Kind.MINORITY, Kind.ONE_WAY);
  private static final Set<Kind> LOST_COMMITS = Set.of(Kind.DATABASE_CRASH, Kind.FULL_DISK);

  /** All there are. */
  public static final List<PlantedDefect> ALL =
      List.of(
          new PlantedDefect("version-unchecked", Defects.VERSION_UNCHECKED, TWO_OWNERS),
          new PlantedDefect("fence-unchecked", Defects.FENCE_UNCHECKED, TWO_OWNERS),
          new PlantedDefect("lease-upserted", Defects.LEASE_UPSERTED, TWO_OWNERS),
          new PlantedDefect("answers-unchecked", Defects.ANSWERS_UNCHECKED, TWO_OWNERS),
          new PlantedDefect(
              "acknowledged-before-commit", Defects.ACKNOWLEDGED_BEFORE_COMMIT, LOST_COMMITS),
          new PlantedDefect(
              "unknown-treated-as-failed", Defects.UNKNOWN_TREATED_AS_FAILED, LOST_COMMITS),
          new PlantedDefect(
              "fence-kept-after-unknown", Defects.FENCE_KEPT_AFTER_UNKNOWN, LOST_COMMITS));

  /** Copies the set. */
  public PlantedDefect {
    shownBy = Set.copyOf(shownBy);
  }

  /** Every spelling. */
  public static List<String> spellings() {
    return ALL.stream().map(PlantedDefect::spelling).toList();
  }

  /**
   * The one of a spelling.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static PlantedDefect of(String spelling) {
    return ALL.stream()
        .filter(defect -> defect.spelling().equals(spelling))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no bug is called " + spelling));
  }

  /** Whether a schedule has what should bring it to light. */
  public boolean isAimedAtBy(NemesisSchedule schedule) {
    return schedule.kinds().stream().anyMatch(shownBy::contains);
  }
}
