package io.holdfast.wire.source;

import io.holdfast.event.Epoch;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.ConsumerGroups;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import java.util.List;
import java.util.Objects;

/** Serves a service's streams from its log and its consumer groups. Thread-safe. */
public final class LogStreamServer implements StreamServer {

    /** A page is one message on the wire. */
    static final int MAX_PAGE_BYTES = 1 << 20;

    private final EventLog log;
    private final ConsumerGroups groups;

    public LogStreamServer(EventLog log, ConsumerGroups groups) {
        this.log = log;
        this.groups = groups;
    }

    @Override
    public StreamPage page(PageRequest request) {
        StreamHead head = log.head(request.stream()); // read first, so that it names no event that the page cannot have
        List<Epoch> epochs = log.epochs();
        int limit = Math.max(1, Math.min(request.limit(), MAX_PAGE));
        return new StreamPage(head, epochs, limitBytes(log.readStream(request.stream(), request.after(), limit)));
    }

    /** Registers the group before it resolves the start, so that events which the group may need are retained. */
    @Override
    public StreamPosition register(GroupRegistration registration) {
        String group = registration.group();
        String stream = registration.stream();
        StreamPosition start = groups.register(group, stream).start();
        if (start == null) {
            StreamPosition resolved = StreamStart.resolve(log, stream, registration.start());
            start = groups.storeStart(group, stream, resolved).start();
        }
        return Objects.requireNonNull(start, "the stored start is missing");
    }

    /**
     * A group that reports is registered, unless a failover has lost its registration or an operator has removed it. It
     * is registered again, except by a position of another log: that tells nothing about what it needs of this one.
     */
    @Override
    public void report(GroupReport report) {
        boolean isRegistered = groups.report(report.group(), report.stream(), report.reached());
        if (!isRegistered && isOfThisLog(report.reached())) {
            registerAgain(report);
        }
    }

    /**
     * Stores the start of the group, not its position: if a failover of the group's service loses its tokens too, the
     * group starts there again.
     */
    private void registerAgain(GroupReport report) {
        StreamPosition start = report.start();
        StreamPosition known = start != null && isOfThisLog(start) ? start : report.reached();
        groups.register(report.group(), report.stream());
        groups.storeStart(report.group(), report.stream(), known);
        groups.report(report.group(), report.stream(), report.reached());
    }

    private boolean isOfThisLog(StreamPosition position) {
        return position.log().id().equals(log.identity().id());
    }

    /** Limits a page to {@link #MAX_PAGE_BYTES}, but returns at least one event, whatever its size. */
    private static List<EventMessage> limitBytes(List<EventMessage> events) {
        int bytes = 0;
        for (int count = 0; count < events.size(); count++) {
            bytes += events.get(count).payload().size();
            if (bytes > MAX_PAGE_BYTES && count > 0) {
                return events.subList(0, count);
            }
        }
        return events;
    }
}
