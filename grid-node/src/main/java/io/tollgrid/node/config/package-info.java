/**
 * The configuration of a node: its keys, and what must hold of their values together, checked as a
 * whole before anything starts (R42). How values are read is shared with instances, in {@link
 * io.tollgrid.client.config}.
 */
@NullMarked
package io.tollgrid.node.config;

import org.jspecify.annotations.NullMarked;
