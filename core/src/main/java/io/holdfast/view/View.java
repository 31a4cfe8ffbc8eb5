package io.holdfast.view;

import io.holdfast.event.Names;

/**
 * A named table of rows that a projection maintains across aggregates.
 *
 * @param name unique within the service
 * @param rowType the immutable class of a row, stored as JSON
 */
public record View<R>(String name, Class<R> rowType) {

    public View {
        Names.require("name of view", name);
    }
}
