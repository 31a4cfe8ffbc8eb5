package io.holdfast.tck.saga;

import io.holdfast.handling.Component;
import java.util.List;
import java.util.Set;

/**
 * What a service is, apart from its store and its replicas.
 *
 * @param owns the streams that it owns
 * @param reads the streams that its processor reads
 * @param component what its processor calls
 */
record ServiceBlueprint(String service, Set<String> owns, List<String> reads, Component component) {

    /** The name of the processor. */
    static final String PROCESSOR = "work";
}
