package io.holdfast.view;

import java.util.Collection;
import java.util.List;

/**
 * Stores the rows of all views of a service, next to the position of the processor that wrote them. Only the
 * committer writes.
 *
 * <p><b>Contract.</b> A row is as the last committed unit wrote it. The version of a row only increases, also across
 * a removal.
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
}
