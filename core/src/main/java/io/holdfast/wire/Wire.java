package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Transports events between services. <b>The wire may lose anything, at any time, without notice</b>, but it never
 * alters a record. Readers detect gaps by the events' {@code LogPosition} and by the announced heads, and pull the
 * missing events from the source.
 *
 * <p><b>Contract.</b> A reader gets the records of its stream in the order in which they were published, each
 * complete and at most as often as it was published. Readers do not affect each other.
 *
 * <p><b>Thread safety.</b> Thread-safe. A stream has one publisher at a time, which the publisher's lease ensures.
 *
 * <p><b>Transaction.</b> None. Events may be published again; readers see duplicates.
 *
 * <p><b>Not guaranteed.</b> Delivery.
 */
public interface Wire {

    /**
     * Publishes events, each to its stream, in the given order.
     *
     * @throws WireUnavailableException if some events may not have been accepted; publishing all of them again is
     *     safe
     * @throws UnpublishableEventException if the wire cannot carry one of the events
     */
    void publish(List<EventMessage> events);

    /**
     * Returns a new reader of one stream. It gets the records that the wire still has, then new ones. Like
     * {@link #serve} and {@link #onArrival}, this works while the wire is down.
     */
    WireReader reader(String stream);

    /**
     * Announces a replica and the heads of its streams, so that readers can detect a lost tail. The last call per
     * replica, and per stream, wins.
     *
     * @throws WireUnavailableException if the wire is down
     */
    void announce(Announcement announcement);

    /** Returns the last announced head of a stream, if any. Only a hint; may be empty while the wire is down. */
    Optional<StreamHead> head(String stream);

    /**
     * Returns the service directory: the last announcement of each replica, except replicas that have long been
     * silent.
     */
    List<Announcement> directory();

    /**
     * Serves streams that this service owns until the registration is closed. If several replicas serve a stream, at
     * least one open registration responds.
     */
    Registration serve(Collection<String> streams, StreamServer server);

    /**
     * Requests the events after a position from a stream's source. The future fails with
     * {@link WireUnavailableException} if no replica responds in time, and with some exception if the source throws.
     * Requests may be repeated safely.
     */
    CompletableFuture<StreamPage> request(PageRequest request);

    /** Registers a consumer group at a stream's source. Fails like {@link #request}; may be repeated safely. */
    CompletableFuture<StreamPosition> register(GroupRegistration registration);

    /**
     * Reports a group's position to a stream's source. Reports may be lost and are repeated.
     *
     * @throws WireUnavailableException if the wire is down
     */
    void report(GroupReport report);

    /**
     * Registers a short, non-blocking signal that runs when something of these streams may have arrived: a reader of
     * this process got a record, or a head was announced. Signals may be missed.
     */
    Registration onArrival(Collection<String> streams, Runnable signal);

    /** Notifies the other replicas of a service of a commit. Cheap; does nothing while the wire is down. */
    void wake(String service);

    /**
     * Registers a short, non-blocking signal that runs when a replica calls {@link #wake}. Signals may be missed or
     * coalesced.
     */
    Registration onWake(String service, Runnable signal);

    /** A registration that can be closed. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {
        /** Ends the registration. Idempotent. */
        @Override
        void close();
    }
}
