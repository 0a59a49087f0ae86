/** What operators publish for instances: stored first, then word of it is sent to the fleet. */
@NullMarked
package io.tollgrid.node.policy;

import org.jspecify.annotations.NullMarked;
