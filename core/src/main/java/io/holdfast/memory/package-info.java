/**
 * In-memory adapters of the ports: {@link io.holdfast.memory.InMemoryStore} for one service,
 * {@link io.holdfast.memory.InMemoryWire} between services. Correct under concurrency and simulated crashes; the data
 * ends with the process. For tests and the demo.
 *
 * <p><b>Audience:</b> users.
 */
@NullMarked
package io.holdfast.memory;

import org.jspecify.annotations.NullMarked;
