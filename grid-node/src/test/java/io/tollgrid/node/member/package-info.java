/** Tests of what a member is made of. */
@NullMarked
package io.tollgrid.node.member;

import org.jspecify.annotations.NullMarked;
