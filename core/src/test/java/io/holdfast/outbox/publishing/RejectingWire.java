package io.holdfast.outbox.publishing;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.OperationServer;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.UnpublishableEventException;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireReader;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A wire that cannot carry payloads with a certain text. */
record RejectingWire(Wire wire, String text) implements Wire {

    @Override
    public void publish(List<EventMessage> events) {
        for (EventMessage event : events) {
            if (event.payload().json().contains(text)) {
                throw new UnpublishableEventException(event.id(), "it is refused", null);
            }
            wire.publish(List.of(event));
        }
    }

    @Override
    public WireReader reader(String stream) {
        return wire.reader(stream);
    }

    @Override
    public void announce(Announcement announcement) {
        wire.announce(announcement);
    }

    @Override
    public Optional<StreamHead> head(String stream) {
        return wire.head(stream);
    }

    @Override
    public List<Announcement> directory() {
        return wire.directory();
    }

    @Override
    public Registration serve(Collection<String> streams, StreamServer server) {
        return wire.serve(streams, server);
    }

    @Override
    public CompletableFuture<StreamPage> request(PageRequest request) {
        return wire.request(request);
    }

    @Override
    public CompletableFuture<StreamPosition> register(GroupRegistration registration) {
        return wire.register(registration);
    }

    @Override
    public void report(GroupReport report) {
        wire.report(report);
    }

    @Override
    public Registration serveOperations(String service, String replica, OperationServer server) {
        return wire.serveOperations(service, replica, server);
    }

    @Override
    public CompletableFuture<String> ask(String replica, OperationRequest request, Duration timeout) {
        return wire.ask(replica, request, timeout);
    }

    @Override
    public Registration onArrival(Collection<String> streams, Runnable signal) {
        return wire.onArrival(streams, signal);
    }

    @Override
    public void wake(String service) {
        wire.wake(service);
    }

    @Override
    public Registration onWake(String service, Runnable signal) {
        return wire.onWake(service, signal);
    }
}
