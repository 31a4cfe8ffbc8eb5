/**
 * Both ends of a stream: {@link io.holdfast.wire.source.LogStreamServer} serves a service's own streams to others, and a
 * {@link io.holdfast.wire.source.StreamSource} reads one, from the own log or from the wire. A reader follows the chain of
 * previous positions, pulls what the wire lost, and stops where the source went back in time.
 *
 * <p><b>Audience:</b> engine.
 */
@NullMarked
package io.holdfast.wire.source;

import org.jspecify.annotations.NullMarked;
