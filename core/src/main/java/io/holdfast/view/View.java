package io.holdfast.view;

import io.holdfast.event.Names;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A named table of rows that a projection maintains across aggregates.
 *
 * <p>Two versions of a service can maintain the same view. Properties that the row class of one version does not know
 * survive its updates, see {@link io.holdfast.event.PayloadCodec#decodeForUpdate}. If older versions would misread the rows of a
 * new one, raise the revision of the row class with {@link io.holdfast.event.EventType}: older versions then refuse to
 * read and update these rows, with an {@link io.holdfast.event.UnsupportedHereException}.
 *
 * @param name unique within the service
 * @param rowType the immutable class of a row, stored as JSON
 * @param index a pure function from a row to its place in the index; null if rows are found by their key only
 * @param cache which rows decisions may see again as the objects that an earlier decision has put; null for none
 */
public record View<R>(
        String name,
        Class<R> rowType,
        @Nullable Function<? super R, RowIndex> index,
        @Nullable Predicate<? super R> cache) {

    public View {
        Names.require("name of view", name);
    }

    /** Creates a view without an index. */
    public View(String name, Class<R> rowType) {
        this(name, rowType, null, null);
    }

    /**
     * Returns the same view with an index, which lists, counts and finds due rows without a scan. Each write of a row
     * updates its place. A row that was written before the view had an index, or by a version of the service without
     * one, gets its place with the next write.
     */
    public View<R> indexed(Function<? super R, RowIndex> rowIndex) {
        return new View<>(name, rowType, rowIndex, cache);
    }

    /**
     * Returns the same view with a cache of the rows that were written last: an update that follows soon neither loads
     * nor decodes its row. The row class must be immutable, everything that a row contains included.
     */
    public View<R> withCache() {
        return withCache(row -> true);
    }

    /**
     * As {@link #withCache()}, for some of the rows. Exclude those that are hardly ever updated again: a cached row survives
     * several garbage collections.
     */
    public View<R> withCache(Predicate<? super R> cachedRows) {
        return new View<>(name, rowType, index, cachedRows);
    }

    public boolean hasCache() {
        return cache != null;
    }

    /** Returns whether a row is cached. */
    public boolean caches(R row) {
        return cache != null && cache.test(row);
    }

    /** Returns the place of a row in the index. */
    public RowIndex indexOf(@Nullable R row) {
        return index == null || row == null ? RowIndex.NONE : index.apply(row);
    }
}
