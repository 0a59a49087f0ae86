package io.tollgrid.pipelines;

import java.util.OptionalLong;

/**
 * What a member knows of a job.
 *
 * @param name its name, with the build
 * @param status Hazelcast's status of it, {@code ABSENT} if there is none, {@code UNKNOWN} if the
 *     master did not say or nobody asks any more
 * @param restarts how often this member submitted it again
 * @param notRunningNanos for how long it has not been seen running; empty while it runs
 */
public record JobHealth(String name, String status, long restarts, OptionalLong notRunningNanos) {}
