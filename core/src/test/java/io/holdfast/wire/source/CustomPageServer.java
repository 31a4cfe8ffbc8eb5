package io.holdfast.wire.source;

import io.holdfast.event.StreamPosition;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import java.util.function.Function;

/** A server whose pages come from the test; groups are registered as usual. */
record CustomPageServer(StreamServer groups, Function<PageRequest, StreamPage> pages) implements StreamServer {

    @Override
    public StreamPage page(PageRequest request) {
        return pages.apply(request);
    }

    @Override
    public StreamPosition register(GroupRegistration registration) {
        return groups.register(registration);
    }

    @Override
    public void report(GroupReport report) {
        groups.report(report);
    }
}
