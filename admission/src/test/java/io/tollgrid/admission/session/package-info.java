/** Tests of sessions. */
@NullMarked
package io.tollgrid.admission.session;

import org.jspecify.annotations.NullMarked;
