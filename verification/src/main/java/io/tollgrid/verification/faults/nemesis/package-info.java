/**
 * Whole systems on hosts of their own, hurt while they serve: members, instances, PostgreSQL and
 * the network between them.
 */
@NullMarked
package io.tollgrid.verification.faults.nemesis;

import org.jspecify.annotations.NullMarked;
