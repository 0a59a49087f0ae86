@NullMarked
package io.tollgrid.ledger.policy;

import org.jspecify.annotations.NullMarked;
