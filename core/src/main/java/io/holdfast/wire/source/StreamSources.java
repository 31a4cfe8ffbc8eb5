package io.holdfast.wire.source;

/** Opens sources for one consumer, which has its own consumer group per generation. */
public interface StreamSources {

    /** Returns a source for new events, used by one thread. */
    StreamSource live(int generation);

    /**
     * Returns a source for a backlog, used in addition to the live one. It pulls from the source and does not read
     * the wire.
     */
    StreamSource catchUp(int generation);

    /** Returns the name of a consumer's group. A reset creates a new group with a new start. */
    static String group(String consumer, int generation) {
        return generation == 1 ? consumer : consumer + "@" + generation;
    }

    /** Returns the same source for every purpose and generation. */
    static StreamSources single(StreamSource source) {
        return new StreamSources() {
            @Override
            public StreamSource live(int generation) {
                return source;
            }

            @Override
            public StreamSource catchUp(int generation) {
                return source;
            }
        };
    }
}
