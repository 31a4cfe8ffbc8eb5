/**
 * The ports, kept in memory: {@link io.holdfast.memory.InMemoryStore} for one service,
 * {@link io.holdfast.memory.InMemoryWire} between services. Correct under concurrency and simulated crashes, gone with
 * the process: for tests and for the demo.
 */
@NullMarked
package io.holdfast.memory;

import org.jspecify.annotations.NullMarked;
