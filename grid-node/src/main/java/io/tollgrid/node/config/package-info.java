/**
 * The configuration of a node: one YAML file, overridden key by key from the environment, checked
 * as a whole before anything starts (R42).
 *
 * <p>Values are immutable and read once; nothing here reads a secret, only the path of a file that
 * holds one.
 */
@NullMarked
package io.tollgrid.node.config;

import org.jspecify.annotations.NullMarked;
