package io.holdfast.view;

import io.holdfast.event.Names;

/** Identifies one row of one view. */
public record RowKey(String view, String key) {

    public RowKey {
        Names.require("name of view", view);
        Names.require("row key of view " + view, key);
    }

    @Override
    public String toString() {
        return view + "/" + key;
    }
}
