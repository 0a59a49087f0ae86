/**
 * The product's main job under a made-up load: three instances, accounts of every temper, and what
 * became of every unit.
 */
@NullMarked
package io.tollgrid.node.demo;

import org.jspecify.annotations.NullMarked;
