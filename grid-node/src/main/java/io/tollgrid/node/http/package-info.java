/**
 * What a node says of itself over HTTP: whether it lives, whether it is ready and why not, and its
 * metrics. Nothing here reads a request body, and nothing here can change anything.
 */
@NullMarked
package io.tollgrid.node.http;

import org.jspecify.annotations.NullMarked;
