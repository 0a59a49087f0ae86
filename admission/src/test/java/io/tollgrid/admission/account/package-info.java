/** Tests. */
@NullMarked
package io.tollgrid.admission.account;

import org.jspecify.annotations.NullMarked;
