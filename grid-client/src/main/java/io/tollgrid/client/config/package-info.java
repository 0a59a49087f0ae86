/**
 * How a configuration is read, whoever it is for: one YAML file, overridden key by key from the
 * environment, every value checked by the type of its key and nothing coerced (R42).
 *
 * <p>Owned here: keys and the types of their values, the reading of files, variables and stated
 * values, and the explanation of what is in force. What keys there are, and which combinations are
 * unsafe, is the business of whoever is configured. Values are immutable and read once; nothing
 * here reads a secret, only the path of a file that holds one.
 */
@NullMarked
package io.tollgrid.client.config;

import org.jspecify.annotations.NullMarked;
