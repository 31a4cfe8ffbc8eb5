package io.holdfast.saga.tracking;

import io.holdfast.event.StreamPosition;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.TokenStore;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Determines up to which time this service has read the streams of other services. A saga whose deadline is later must
 * not be judged: the event that completes it may exist and be unread.
 *
 * <p>It requests the head of each stream from its owner. Once the stored positions of all segments reach that head, the
 * service has read every event that existed at the time of the request. Announced heads are not fresh enough, because
 * they may be a second old. A stream is ignored once its owner has been absent from the directory for a while, so that a
 * service that is down does not keep sagas open. If this service does not see its own announcement, the wire is down:
 * no owner counts as absent, and the time does not advance.
 *
 * <p>Not thread-safe.
 */
final class HeardTime {

    private static final Duration SAMPLE_INTERVAL = Duration.ofSeconds(1);

    /**
     * How long an owner must be absent before its stream is left out. A replica that starts, or that returns to the
     * wire, sees its own announcement before those of others.
     */
    private static final Duration MAX_ABSENCE = Duration.ofSeconds(10);

    /** A replica that has not looked at the directory for longer was frozen, and so were the announcements it gets. */
    private static final Duration MAX_OBSERVATION_GAP = Duration.ofSeconds(5);

    private final String replica;
    private final Wire wire;
    private final TokenStore tokens;
    private final Map<String, Set<String>> readers;
    private final Map<String, HeadSamples> samples = new HashMap<>();
    private final Map<String, Instant> absentSince = new HashMap<>();
    private @Nullable Instant observedAt;

    /**
     * @param replica this replica, as it announces itself
     * @param readers the processors of this service that read a stream, by stream
     */
    HeardTime(String replica, Wire wire, TokenStore tokens, Map<String, Set<String>> readers) {
        this.replica = replica;
        this.wire = wire;
        this.tokens = tokens;
        this.readers = readers;
    }

    /** Observes which streams have a live owner. Call it in every run, also if no saga is due. */
    void observe(Collection<String> streams, Instant now) {
        List<Announcement> directory = wire.directory();
        boolean connected = directory.stream().anyMatch(entry -> entry.replica().equals(replica));
        boolean wasFrozen =
                observedAt == null || observedAt.plus(MAX_OBSERVATION_GAP).isBefore(now);
        if (!connected || wasFrozen) {
            absentSince.clear();
        }
        observedAt = now;
        for (String stream : streams) {
            if (directory.stream().anyMatch(entry -> entry.streams().contains(stream))) {
                absentSince.remove(stream);
            } else {
                absentSince.putIfAbsent(stream, now);
            }
        }
    }

    /** Asks for the heads of the streams, at most once a second. Never blocks. */
    void sample(Collection<String> streams, Instant now) {
        for (String stream : streams) {
            samples.computeIfAbsent(stream, unknown -> new HeadSamples(SAMPLE_INTERVAL))
                    .sample(now, () -> wire.request(new PageRequest(stream, Long.MAX_VALUE - 1, 1)));
        }
    }

    /** Returns the time up to which these streams were read; {@link Instant#MIN} if that is unknown. */
    Instant until(Collection<String> streams, Instant now) {
        Instant heard = now;
        for (String stream : streams) {
            Instant heardOfStream = isLeftOut(stream, now) ? now : heard(stream);
            heard = heardOfStream.isBefore(heard) ? heardOfStream : heard;
        }
        return heard;
    }

    private boolean isLeftOut(String stream, Instant now) {
        Instant since = absentSince.get(stream);
        return since != null && !now.isBefore(since.plus(MAX_ABSENCE));
    }

    private Instant heard(String stream) {
        HeadSamples ofStream = samples.get(stream);
        return ofStream == null ? Instant.MIN : ofStream.heard(positions(stream));
    }

    /** Returns the position of every segment that reads the stream. */
    private List<@Nullable StreamPosition> positions(String stream) {
        return readers.getOrDefault(stream, Set.of()).stream()
                .flatMap(processor -> tokens.findAll(processor).stream())
                .map(ClaimedToken::token)
                .<@Nullable StreamPosition>map(token -> token.positions().get(stream))
                .toList();
    }
}
