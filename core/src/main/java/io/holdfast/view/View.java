package io.holdfast.view;

import io.holdfast.event.Names;

/**
 * A named table of rows that a projection maintains across aggregates.
 *
 * <p>Two versions of a service can maintain the same view. Properties that the row class of one version does not know
 * survive its updates, see {@link io.holdfast.event.UnknownProperties}. If older versions would misread the rows of a
 * new one, raise the revision of the row class with {@link io.holdfast.event.EventType}: older versions then refuse to
 * read and update these rows, with an {@link io.holdfast.event.UnsupportedHereException}.
 *
 * @param name unique within the service
 * @param rowType the immutable class of a row, stored as JSON
 */
public record View<R>(String name, Class<R> rowType) {

    public View {
        Names.require("name of view", name);
    }
}
