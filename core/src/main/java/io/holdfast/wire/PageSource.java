package io.holdfast.wire;

import io.holdfast.event.EventLog;
import io.holdfast.event.StreamHead;

/** Answers page requests. Called on the wire's threads, by any number of them. */
@FunctionalInterface
public interface PageSource {

    int MAX_PAGE = 1_000;

    StreamPage page(PageRequest request);

    /** Answers from a log. */
    static PageSource of(EventLog log) {
        return request -> {
            StreamHead head = log.head(request.stream()); // first, so that it never names what the page could not have
            int limit = Math.min(request.limit(), MAX_PAGE);
            return new StreamPage(head, log.readStream(request.stream(), request.after(), limit));
        };
    }
}
