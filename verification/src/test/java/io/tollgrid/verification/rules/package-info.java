/**
 * Checks `docs/RULES.md` against the tree: what the table promises must exist.
 *
 * <p>{@code RulesTable} reads the table, {@code SourceTree} knows what the sources declare, {@code
 * TableCheck} compares the two and lists every disagreement. All are values over text, read once;
 * nothing here loads a class.
 */
@NullMarked
package io.tollgrid.verification.rules;

import org.jspecify.annotations.NullMarked;
