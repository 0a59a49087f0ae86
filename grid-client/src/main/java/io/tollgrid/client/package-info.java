/** What a service embeds: lease management, usage writing and the one runtime that owns both. */
@NullMarked
package io.tollgrid.client;

import org.jspecify.annotations.NullMarked;
