package io.holdfast.commit.group;

import org.jspecify.annotations.Nullable;

/**
 * A committed change of one row by one unit.
 *
 * @param before null if the row did not exist
 * @param after null if the row was removed
 */
public record RowChange<R>(String key, @Nullable R before, @Nullable R after) {}
