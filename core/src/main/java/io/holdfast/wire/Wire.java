package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Transports events, and requests, between services. <b>The wire may lose anything, at any time, without notice</b>, but it never
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
     * Returns the service directory: the last announcement of each replica, the most recent first, except replicas
     * that have long been silent.
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
     * Serves requests to one replica of a service until the registration is closed. If a replica is registered again,
     * the newest open registration serves. Requests run on threads of their own: a slow server blocks neither pages
     * nor the requests to other replicas. Like {@link #serve}, this works while the wire is down.
     *
     * @param replica the name under which the replica announces itself
     */
    Registration serveOperations(String service, String replica, OperationServer server);

    /**
     * Sends a request to one replica, which serves it once per call. Never blocks. {@link OperationClient} chooses the
     * replica. A request may be repeated safely under the same id; each call gets only its own reply. The future fails
     * with
     *
     * <ul>
     *   <li>{@link NoLiveReplicaException}, at once, if the directory does not list the replica for the service;
     *   <li>{@link NoReplyException} if no reply arrived in time. The request may have been served, or may still be;
     *   <li>another {@link WireUnavailableException} if the wire is down or the replica is busy; nothing was done;
     *   <li>{@link UnknownOperationException} if the replica does not know the operation; nothing was done;
     *   <li>{@link OperationFailedException} or {@link OperationRejectedException} if the server threw, or its reply
     *       is too large. The first one is retryable.
     * </ul>
     *
     * <p>The future may complete on a thread of the wire, which dependent actions must not block.
     */
    CompletableFuture<String> ask(String replica, OperationRequest request, Duration timeout);

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
