/**
 * The request path in nanoseconds and bytes: the whole admission cycle against one call of a token
 * bucket, a lease alone, two threads on one account, and a million accounts against a thousand.
 *
 * <p>Every measurement is a JMH fork of its own, so that no benchmark runs in code that another one
 * has warmed up differently. {@link KernelFixture} is the only class that knows how the kernel is
 * put together.
 */
@NullMarked
package io.tollgrid.verification.bench.admission;

import org.jspecify.annotations.NullMarked;
