package io.tollgrid.admission.snapshot;

import io.tollgrid.admission.testing.Interleavings;
import io.tollgrid.ledger.Id128;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Witnesses R37 (a generation never moves backward) and R26 (a stale snapshot is never taken for a
 * fresh one, a known principal never for an unknown one) under every interleaving.
 */
@Tag("slow")
class SnapshotMapInterleavingTest {
  /**
   * A table is made anew place by place; by itself, Lincheck takes that for a thread that hangs.
   */
  private static final int LONGEST_LOOP = 1_000;

  @Test
  void readingAPrincipalIsLinearizable() {
    models().check(ReadOps.class);
  }

  @Test
  void readingAPrincipalIsLinearizableUnderStress() {
    stress().check(ReadOps.class);
  }

  @Test
  void publishingIsLinearizable() {
    models().check(WriteOps.class);
  }

  @Test
  void publishingIsLinearizableUnderStress() {
    stress().check(WriteOps.class);
  }

  @Test
  void findingWhileTheTableGrowsIsLinearizable() {
    models().check(TableOps.class);
  }

  @Test
  void findingWhileTheTableGrowsIsLinearizableUnderStress() {
    stress().check(TableOps.class);
  }

  private static ModelCheckingOptions models() {
    return Interleavings.models(2, 0, 1)
        .iterations(5)
        .invocationsPerIteration(40)
        .loopBound(LONGEST_LOOP)
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(SnapshotMapInterleavingTest::isOneStep)
                .allMethods()
                .ignore());
  }

  /**
   * What this test does not interleave: collections change under the map's monitor only, and what a
   * principal leads to does not change here.
   */
  private static boolean isOneStep(final String name) {
    return !name.startsWith("io.tollgrid.admission.snapshot.");
  }

  private static StressOptions stress() {
    return Interleavings.stress(2, 0, 1).invocationsPerIteration(100);
  }

  /** What a request would be judged by, read in its order: a generation, or 0 for nothing. */
  private static long read(final TestMap test, final Id128 id) {
    final Principal found = test.find(id);
    final long freshUntil = found == null ? 0 : found.freshUntilNanos();
    final Standing standing = found == null ? null : found.standing();
    if (standing == null) {
      return 0;
    }
    // Here, a snapshot is fresh until the time that is its generation, and no longer.
    final long generation = standing.generation();
    return freshUntil > generation ? -freshUntil : generation;
  }

  /** A principal is read while its snapshots follow each other. */
  public static class ReadOps {
    private final TestMap test = new TestMap(2, 2);
    private long generation = 1;

    /** Alice is known. */
    public ReadOps() {
      resolve();
    }

    /** A request reads. */
    @Operation
    public long read() {
      return SnapshotMapInterleavingTest.read(test, TestMap.ALICE);
    }

    /** The source has a newer one. */
    @Operation(nonParallelGroup = "writer")
    public Publication newer() {
      generation++;
      return resolve();
    }

    /** The principal is revoked. */
    @Operation(nonParallelGroup = "writer")
    public Publication revoked() {
      generation++;
      return test.map.revoked(TestMap.ALICE, generation, 0, test.map.readEpoch());
    }

    private Publication resolve() {
      return test.map.resolved(
          TestMap.snapshot(TestMap.ALICE, generation), generation, test.map.readEpoch());
    }
  }

  /** Two principals, room for both when they are forgotten, and any order of publications. */
  @Param(name = "bob", gen = BooleanGen.class)
  @Param(name = "generation", gen = IntGen.class, conf = "1:3")
  public static class WriteOps {
    private final TestMap test = new TestMap(2, 2);

    /** Alice is known. */
    public WriteOps() {
      test.map.resolved(TestMap.snapshot(TestMap.ALICE, 1), 1, 0);
    }

    /** A request reads. */
    @Operation
    public long read(@Param(name = "bob") final boolean bob) {
      return SnapshotMapInterleavingTest.read(test, id(bob));
    }

    /** The source answers. */
    @Operation
    public Publication resolved(
        @Param(name = "bob") final boolean bob, @Param(name = "generation") final int generation) {
      return test.map.resolved(
          TestMap.snapshot(id(bob), generation), generation, test.map.readEpoch());
    }

    /** Someone pushes. */
    @Operation
    public Publication pushed(@Param(name = "generation") final int generation) {
      return test.map.pushed(TestMap.snapshot(TestMap.ALICE, generation), generation);
    }

    /** A principal is forgotten. */
    @Operation
    public void evict(@Param(name = "bob") final boolean bob) {
      test.map.evict(id(bob));
    }

    private static Id128 id(final boolean bob) {
      return bob ? TestMap.BOB : TestMap.ALICE;
    }
  }

  /** A table that is half full, so that it is made anew for the next principal. */
  @Param(name = "low", gen = IntGen.class, conf = "31:34")
  public static class TableOps {
    private static final int KNOWN = 32;

    private final PrincipalTable table = new PrincipalTable();

    /** As many as it holds. */
    public TableOps() {
      for (int low = 1; low <= KNOWN; low++) {
        table.add(new Principal(new Id128(0, low)));
      }
    }

    /** A request looks. */
    @Operation
    public boolean find(@Param(name = "low") final int low) {
      return table.find(0, low) != null;
    }

    /** The writer adds a principal, or removes it. */
    @Operation(nonParallelGroup = "writer")
    public int toggle(@Param(name = "low") final int low) {
      final Principal known = table.find(0, low);
      if (known == null) {
        table.add(new Principal(new Id128(0, low)));
      } else {
        table.remove(known);
      }
      return table.size();
    }
  }
}
