package io.tollgrid.grid;

import com.hazelcast.jet.core.Processor;

/** What a data member does in the stages of jobs, found in its user context. Thread-safe. */
@FunctionalInterface
public interface MemberStages {
  /** Where a member keeps it in its user context. */
  String CONTEXT_KEY = "tollgrid.member-stages";

  /**
   * A processor that does the work of a stage on this member.
   *
   * @throws IllegalArgumentException if this member knows no such stage
   */
  Processor newProcessor(String stage);
}
