package io.holdfast.view;

import java.util.Collection;
import java.util.List;

/**
 * The rows of all views of a service. Written by the committer alone, beside the position of the processor that wrote
 * them.
 *
 * <p><b>Duty.</b> A row is as the last committed unit left it. Versions of a row only rise, also over a removal.
 *
 * <p><b>Thread-safety.</b> Any number of threads.
 *
 * <p><b>Transaction.</b> None is joined; a call sees what is committed.
 *
 * <p><b>Not promised.</b> That two calls see the same moment.
 */
public interface ViewStore {

    /**
     * The rows of these keys, in any order; {@link Row#neverWritten} for those that were never written. A key that is named
     * twice is given once.
     */
    List<Row> find(Collection<RowKey> keys);

    /**
     * Existing rows of a view with keys above {@code afterKey}, in key order, at most {@code limit}. Removed ones are
     * left out, and do not count. The order is that of the characters' numbers, not of a language: {@code B} comes
     * before {@code a}.
     *
     * @param afterKey empty for the start
     */
    List<Row> page(String view, String afterKey, int limit);
}
