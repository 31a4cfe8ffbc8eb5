package io.holdfast.wire;

/** Opens readers of a stream for one consumer, which is known to the stream's source under one name per generation. */
public interface StreamSources {

    /** For reading what is new, by one thread. */
    StreamSource live(int generation);

    /** For reading what lies behind, beside the live reader: asks the source, and does not listen to the wire. */
    StreamSource catchUp(int generation);

    /** The name of a consumer's group: a reset makes it a new one, which starts anew. */
    static String group(String consumer, int generation) {
        return generation == 1 ? consumer : consumer + "@" + generation;
    }

    /** One source for everything, whatever the generation. */
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
