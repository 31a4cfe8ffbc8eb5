/**
 * Benchmarks, run by {@link io.holdfast.benchmarks.Benchmarks}. Each compares its variants within one run, because the
 * results of two runs on a busy machine are not comparable.
 */
@NullMarked
package io.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
