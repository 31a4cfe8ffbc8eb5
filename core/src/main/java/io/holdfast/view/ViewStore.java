package io.holdfast.view;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores the rows of all views of a service, next to the position of the processor that wrote them. Only the
 * committer writes.
 *
 * <p><b>Contract.</b> A row is as the last committed unit wrote it. The version of a row only increases, also across
 * a removal; only {@link #purge} makes a row start over. The calls that use the index of a view cost as much as their
 * result, however many rows there are.
 *
 * <p><b>Thread safety.</b> Thread-safe.
 *
 * <p><b>Transaction.</b> Joins none; a call reads committed rows.
 *
 * <p><b>Not guaranteed.</b> Two calls may read different states.
 */
public interface ViewStore {

    /**
     * Returns the rows of these keys, in any order; {@link Row#neverWritten} for keys that were never written. A
     * repeated key is returned once.
     */
    List<Row> find(Collection<RowKey> keys);

    /**
     * Returns existing rows of a view with keys above {@code afterKey}, in key order, at most {@code limit}. Removed
     * rows are excluded and do not count. The order is by code point, not by locale: {@code B} comes before
     * {@code a}.
     *
     * @param afterKey empty for the start
     */
    List<Row> page(String view, String afterKey, int limit);

    /** Returns the rows of an indexed view that are due at this time, those that are due longest first. */
    List<Row> findDue(String view, Instant now, int limit);

    /** Returns when the next row of an indexed view is due, also if that has passed. */
    Optional<Instant> findNextDue(String view);

    /**
     * Returns the rows of an indexed view with one of these tags, newest first, then by key in reverse order.
     *
     * @param after the last row of the previous page; null for the first page
     */
    List<Row> findTagged(String view, Collection<String> tags, @Nullable RowCursor after, int limit);

    /** Returns the tags of these rows by key, for those that have one, without reading the rows. */
    Map<String, String> findTags(String view, Collection<String> keys);

    /** Counts the rows of an indexed view with one of these tags. Stops at the limit. */
    long count(String view, Collection<String> tags, long limit);

    /**
     * Deletes rows for good, version included, unless they have changed. Purge only rows
     * that no unit is about to write: the write would create them again.
     *
     * @param rows as they were read
     * @return the number of deleted rows
     */
    int purge(Collection<Row> rows);
}
