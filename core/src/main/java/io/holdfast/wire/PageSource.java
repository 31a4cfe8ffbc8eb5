package io.holdfast.wire;

import io.holdfast.event.EventLog;

/** Answers page requests. Called on the wire's threads, by any number of them. */
@FunctionalInterface
public interface PageSource {

    int MAX_PAGE = 1_000;

    StreamPage page(PageRequest request);

    /** Answers from a log. */
    static PageSource of(EventLog log) {
        return request -> new StreamPage(
                log.head(request.stream()),
                log.readStream(request.stream(), request.after(), Math.min(request.limit(), MAX_PAGE)));
    }
}
