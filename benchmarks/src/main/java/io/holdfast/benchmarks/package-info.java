/**
 * Programs that measure, for whoever changes the engine or doubts it: {@link io.holdfast.benchmarks.Benchmarks} runs them.
 * Each compares within one run, because two runs on a busy machine say nothing about each other.
 */
@NullMarked
package io.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
