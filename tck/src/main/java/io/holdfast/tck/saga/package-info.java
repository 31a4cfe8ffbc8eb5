/**
 * Contract kits for the tracking of sagas: three services without threads, whose tracker runs on the store under test.
 *
 * <p><b>Audience:</b> authors of adapters.
 */
@NullMarked
package io.holdfast.tck.saga;

import org.jspecify.annotations.NullMarked;
