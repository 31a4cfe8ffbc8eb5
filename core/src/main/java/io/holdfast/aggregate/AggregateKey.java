package io.holdfast.aggregate;

import io.holdfast.event.Names;

/** Identifies one aggregate of one stream. */
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
