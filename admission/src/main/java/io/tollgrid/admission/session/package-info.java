/**
 * Who is on the other end of a connection: one verified credential per session (R44).
 *
 * <p>A session belongs to one connection and one thread at a time. What it caches is checked
 * against the credential's own state on every use, which any thread may end.
 */
@NullMarked
package io.tollgrid.admission.session;

import org.jspecify.annotations.NullMarked;
