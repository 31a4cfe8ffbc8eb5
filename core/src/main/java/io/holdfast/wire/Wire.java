package io.holdfast.wire;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Carries events between services. <b>It may forget anything, at any time, without a sign</b>; what it gives is as it was
 * published. Readers find out what is missing by the events' {@code LogPosition} and by the heads, and ask the source for
 * it.
 *
 * <p><b>Duty.</b> A reader is given records of its stream in the order they were published, each at most as often as it
 * was published, and whole. Readers do not disturb each other.
 *
 * <p><b>Thread-safety.</b> Any number of threads. A stream is published by one publisher at a time, which its lease
 * sees to.
 *
 * <p><b>Transaction.</b> None. Publishing again what was published before is allowed and seen by readers as duplicates.
 *
 * <p><b>Not promised.</b> That anything arrives.
 */
public interface Wire {

    /**
     * Publishes events, each to its stream, in the given order.
     *
     * @throws WireUnavailableException if it is not known that all were taken; publishing all of them again is safe
     * @throws UnpublishableEventException if one of them is at fault itself
     */
    void publish(List<EventMessage> events);

    /**
     * A new reader of one stream. It is given what the wire still has, and then what is published. Like {@link #serve} and
     * {@link #onArrival} it may be asked for while the wire is down.
     */
    WireReader reader(String stream);

    /**
     * Tells everybody that a replica is there and how far its streams have come, so that a reader can notice a lost tail.
     * The newest call for a replica, and for a stream, wins.
     *
     * @throws WireUnavailableException if the wire is down
     */
    void announce(Announcement announcement);

    /** The last announced head of a stream, if one was heard of. Only a hint; may be empty while the wire is down. */
    Optional<StreamHead> head(String stream);

    /** The service directory: what each replica said last, without those that have been silent for long. */
    List<Announcement> directory();

    /**
     * Answers for streams that this service owns, until the registration is closed. Of several registrations for one
     * stream, which replicas of a service have, at least one that is not closed answers.
     */
    Registration serve(Collection<String> streams, StreamServer server);

    /**
     * Asks a stream's source for what follows a position. The future fails with {@link WireUnavailableException} if
     * nobody answers in time, and with some exception if the source throws; asking again is safe.
     */
    CompletableFuture<StreamPage> request(PageRequest request);

    /** Asks a stream's source to know a consumer group. Fails as {@link #request} does; asking again is safe. */
    CompletableFuture<StreamPosition> register(GroupRegistration registration);

    /**
     * Tells a stream's source how far a group has come. It may get lost and is repeated.
     *
     * @throws WireUnavailableException if the wire is down
     */
    void report(GroupReport report);

    /**
     * Runs a short, non-blocking signal whenever something of these streams may have arrived: a reader of this process has
     * got something, or a head was announced. Signals may be missed.
     */
    Registration onArrival(Collection<String> streams, Runnable signal);

    /** Tells the other replicas of a service that something was committed. Cheap; does nothing while the wire is down. */
    void wake(String service);

    /** Runs a short, non-blocking signal whenever a replica calls {@link #wake}. Signals may be missed, or joined. */
    Registration onWake(String service, Runnable signal);

    /** Something that was registered and can be ended. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {
        /** Ends it; again does nothing. */
        @Override
        void close();
    }
}
