package io.tollgrid.node.replay;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What to replay, and how.
 *
 * @param trace the recorded requests
 * @param accounts how many accounts they are drawn over, 1 or more
 * @param seed of the draw
 * @param allowanceUnits the top-up each account starts with, 0 or more
 * @param instances how many instances serve them, row by row in turn, 1 or more
 * @param realPace whether rows wait for the time they were recorded at
 * @param decisions where to write one line per row, or null
 */
public record ReplayPlan(
    Path trace,
    int accounts,
    long seed,
    long allowanceUnits,
    int instances,
    boolean realPace,
    @Nullable Path decisions) {}
