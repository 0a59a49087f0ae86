package io.tollgrid.verification.faults.plan;

import io.tollgrid.client.InstanceGrid;
import io.tollgrid.grid.SystemClock;
import io.tollgrid.ledger.Ledger;
import io.tollgrid.ledger.LedgerFunction;
import io.tollgrid.mapstore.commit.Defects;
import io.tollgrid.verification.faults.plan.NemesisSchedule.Kind;
import io.tollgrid.verification.planted.CreditOnReclaim;
import io.tollgrid.verification.planted.HastyLedgerClient;
import io.tollgrid.verification.planted.SharedWriterInbox;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A bug that is planted into every member or instance of a cluster, to see whether its runs find
 * it.
 *
 * @param spelling what it is called on a command line
 * @param committer what the committer of a member gets
 * @param ledger what a member runs commands with
 * @param instance what becomes of an instance's way to the grid
 * @param shownBy what should bring it to light, any of them
 */
public record PlantedDefect(
    String spelling,
    Defects committer,
    LedgerFunction ledger,
    UnaryOperator<InstanceGrid> instance,
    Set<Kind> shownBy) {
  private static final Set<Kind> ANY = Set.of(Kind.values());
  private static final Set<Kind> TWO_OWNERS = Set.of(Kind.FREEZE, Kind.MINORITY, Kind.ONE_WAY);
  private static final Set<Kind> LOST_COMMITS = Set.of(Kind.DATABASE_CRASH, Kind.FULL_DISK);

  /** Nothing is planted. */
  public static final PlantedDefect NONE = ofCommitter("none", Defects.NONE, Set.of());

  /** All there are. */
  public static final List<PlantedDefect> ALL =
      List.of(
          ofCommitter("version-unchecked", Defects.VERSION_UNCHECKED, TWO_OWNERS),
          ofCommitter("fence-unchecked", Defects.FENCE_UNCHECKED, TWO_OWNERS),
          ofCommitter("answers-unchecked", Defects.ANSWERS_UNCHECKED, TWO_OWNERS),
          ofCommitter("fence-kept-after-unknown", Defects.FENCE_KEPT_AFTER_UNKNOWN, LOST_COMMITS),
          ofCommitter("unknown-treated-as-failed", Defects.UNKNOWN_TREATED_AS_FAILED, LOST_COMMITS),
          ofInstance(
              "reinstated-after-unknown",
              grid ->
                  new InstanceGrid(
                      new HastyLedgerClient(grid.ledgers(), new SystemClock()),
                      grid.policies(),
                      grid.changes(),
                      grid.usage()),
              TWO_OWNERS),
          ofCommitter("lease-upserted", Defects.LEASE_UPSERTED, TWO_OWNERS),
          new PlantedDefect(
              "credit-on-reclaim",
              Defects.NONE,
              new CreditOnReclaim(Ledger::apply),
              UnaryOperator.identity(),
              ANY),
          ofCommitter(
              "acknowledged-before-commit", Defects.ACKNOWLEDGED_BEFORE_COMMIT, LOST_COMMITS),
          ofCommitter("schedule-retried", Defects.SCHEDULE_RETRIED, ANY),
          ofInstance(
              "writer-reused",
              grid ->
                  new InstanceGrid(
                      grid.ledgers(),
                      grid.policies(),
                      grid.changes(),
                      new SharedWriterInbox(grid.usage())),
              ANY));

  /** Copies the set. */
  public PlantedDefect {
    shownBy = Set.copyOf(shownBy);
  }

  private static PlantedDefect ofCommitter(String spelling, Defects defects, Set<Kind> shownBy) {
    return new PlantedDefect(spelling, defects, Ledger::apply, UnaryOperator.identity(), shownBy);
  }

  private static PlantedDefect ofInstance(
      String spelling, UnaryOperator<InstanceGrid> instance, Set<Kind> shownBy) {
    return new PlantedDefect(spelling, Defects.NONE, Ledger::apply, instance, shownBy);
  }

  /** Every spelling. */
  public static List<String> spellings() {
    return ALL.stream().map(PlantedDefect::spelling).toList();
  }

  /**
   * The one of a spelling, also {@link #NONE}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static PlantedDefect of(String spelling) {
    return Stream.concat(Stream.of(NONE), ALL.stream())
        .filter(defect -> defect.spelling().equals(spelling))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no bug is called " + spelling));
  }

  /** Whether a schedule has what should bring it to light. */
  public boolean isAimedAtBy(NemesisSchedule schedule) {
    return schedule.kinds().stream().anyMatch(shownBy::contains);
  }
}
