/**
 * What a service embeds: its configuration, lease management, usage writing, and the one runtime
 * that owns them.
 */
@NullMarked
package io.tollgrid.client;

import org.jspecify.annotations.NullMarked;
