/**
 * The transport between services. The wire may lose anything at any time but never alters a record; the chain of
 * previous positions shows what it lost.
 *
 * <p><b>Audience:</b> adapters.
 */
@NullMarked
package io.holdfast.wire;

import org.jspecify.annotations.NullMarked;
