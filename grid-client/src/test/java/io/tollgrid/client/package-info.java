/**
 * Tests of the instance: in virtual time and one thread where they can be, with threads where not.
 */
@NullMarked
package io.tollgrid.client;

import org.jspecify.annotations.NullMarked;
