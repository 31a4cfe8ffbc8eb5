/**
 * Segments and tokens: the progress of a consumer, the leases on its segments, and the fencing tokens that reject a
 * worker which has lost its lease.
 *
 * <p><b>Audience:</b> adapters.
 */
@NullMarked
package io.holdfast.token;

import org.jspecify.annotations.NullMarked;
