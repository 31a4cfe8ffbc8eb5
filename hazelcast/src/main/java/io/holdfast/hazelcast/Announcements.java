package io.holdfast.hazelcast;

import io.holdfast.event.StreamHead;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.Wire;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Sends this replica's announcement, and caches the heads and the service directory that other replicas announce every
 * second. The cluster stores none of it.
 */
final class Announcements {

    static final String TOPIC = "holdfast.announcements";
    static final Duration SILENT_AFTER = Duration.ofSeconds(10);

    private final Link link;
    private final LongSupplier nanos;
    private final Map<String, StreamHead> heads = new ConcurrentHashMap<>();
    private final Map<String, ReceivedAnnouncement> directory = new ConcurrentHashMap<>();
    private final Signals arrivals = new Signals();

    /** @param nanos a monotonic clock */
    Announcements(Link link, Subscriptions subscriptions, LongSupplier nanos) {
        this.link = link;
        this.nanos = nanos;
        subscriptions.whenConnected(TOPIC, record -> receive(MessageRecords.announcement(record)));
    }

    void announce(Announcement announcement) {
        String what = "announce " + announcement.replica();
        if (!link.isUp()) {
            throw Failures.notConnected(what);
        }
        CompletableFuture<Void> sent =
                link.call(() -> link.topic(TOPIC).publishAsync(MessageRecords.write(announcement)));
        link.await(what, sent);
    }

    void receive(Announcement announcement) {
        announcement.heads().forEach(head -> heads.put(head.stream(), head));
        long now = nanos.getAsLong();
        directory.put(announcement.replica(), new ReceivedAnnouncement(announcement, now));
        directory.values().removeIf(cached -> cached.isSilent(now)); // directory() may never be called
        announcement.heads().forEach(head -> notifyArrival(head.stream()));
    }

    Optional<StreamHead> head(String stream) {
        return Optional.ofNullable(heads.get(stream));
    }

    List<Announcement> directory() {
        long now = nanos.getAsLong();
        directory.values().removeIf(cached -> cached.isSilent(now));
        return directory.values().stream()
                .sorted((one, other) -> Long.signum(other.receivedAt() - one.receivedAt())) // nanos may overflow
                .map(ReceivedAnnouncement::announcement)
                .toList();
    }

    /** Returns the number of replicas that announce the stream as their own. */
    int owners(String stream) {
        return (int) directory().stream()
                .filter(announcement -> announcement.streams().contains(stream))
                .count();
    }

    boolean isLive(String service, String replica) {
        ReceivedAnnouncement cached = directory.get(replica);
        return cached != null
                && !cached.isSilent(nanos.getAsLong())
                && cached.announcement().service().equals(service);
    }

    Wire.Registration onArrival(Collection<String> streams, Runnable signal) {
        return arrivals.add(streams, signal);
    }

    void notifyArrival(String stream) {
        arrivals.fire(stream);
    }

    private record ReceivedAnnouncement(Announcement announcement, long receivedAt) {

        boolean isSilent(long now) {
            return now - receivedAt > SILENT_AFTER.toNanos();
        }
    }
}
