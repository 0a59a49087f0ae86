/**
 * Who may spend: the principals this process knows, each with the newest snapshot of its plan and
 * legs (R37, R38).
 *
 * <p>Requests look up and read without locks and allocate nothing. Publishing, revoking, evicting
 * and expiring are for the control side and serialized by the map's monitor.
 */
@NullMarked
package io.tollgrid.admission.snapshot;

import org.jspecify.annotations.NullMarked;
