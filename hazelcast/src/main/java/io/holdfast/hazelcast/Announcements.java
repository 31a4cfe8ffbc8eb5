package io.holdfast.hazelcast;

import io.holdfast.event.StreamHead;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.Wire;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** What the replicas of all services say every second. Each process remembers what it heard; the cluster keeps nothing. */
final class Announcements {

    static final String TOPIC = "holdfast.announcements";
    static final Duration SILENT_AFTER = Duration.ofSeconds(10);

    private final Link link;
    private final LongSupplier nanos;
    private final Map<String, StreamHead> heads = new ConcurrentHashMap<>();
    private final Map<String, ReceivedAnnouncement> directory = new ConcurrentHashMap<>();
    private final Signals arrivals = new Signals();

    /** @param nanos a clock of this process, which nobody sets back */
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
        directory.values().removeIf(heard -> heard.isSilent(now)); // nobody may ever ask for it
        announcement.heads().forEach(head -> notifyArrival(head.stream()));
    }

    Optional<StreamHead> head(String stream) {
        return Optional.ofNullable(heads.get(stream));
    }

    List<Announcement> directory() {
        long now = nanos.getAsLong();
        directory.values().removeIf(heard -> heard.isSilent(now));
        return directory.values().stream()
                .map(ReceivedAnnouncement::announcement)
                .sorted(Comparator.comparing(Announcement::service).thenComparing(Announcement::replica))
                .toList();
    }

    /** How many replicas say that a stream is theirs. */
    int owners(String stream) {
        return (int) directory().stream()
                .filter(announcement -> announcement.streams().contains(stream))
                .count();
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
