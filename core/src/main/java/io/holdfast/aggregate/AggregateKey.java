package io.holdfast.aggregate;

import io.holdfast.event.Names;

/** One aggregate of one stream. */
public record AggregateKey(String stream, String key) {

    public AggregateKey {
        Names.require("stream", stream);
        Names.require("key of stream " + stream, key);
    }

    @Override
    public String toString() {
        return stream + "/" + key;
    }
}
