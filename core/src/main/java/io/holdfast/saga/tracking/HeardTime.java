package io.holdfast.saga.tracking;

import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.TokenStore;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Determines up to which time this service has read the streams of other services. A saga whose deadline is later must
 * not be judged: the event that completes it may exist and be unread.
 *
 * <p>The owners of the streams are asked for their heads. Once all segments have stored a position at or above a head,
 * everything is read that existed when it was asked for. An announced head would not do: it can be a second old. A
 * stream without a live owner is left out, because a service that is down must not keep sagas open. If this service does
 * not see its own announcement, the wire is down, and no time passes.
 *
 * <p>Not thread-safe.
 */
final class HeardTime {

    private static final Duration SAMPLE_INTERVAL = Duration.ofSeconds(1);
    private static final int MAX_SAMPLES = 60;

    private final String replica;
    private final Wire wire;
    private final TokenStore tokens;
    private final Map<String, Set<String>> readers;
    private final Map<String, Samples> samples = new HashMap<>();

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

    /** Asks for the heads of the streams, at most once a second. Never blocks. */
    void sample(Collection<String> streams, Instant now) {
        streams.forEach(stream -> samples.computeIfAbsent(stream, Samples::new).sample(now));
    }

    /** Returns the time up to which these streams were read; {@link Instant#MIN} if that is unknown. */
    Instant until(Collection<String> streams, Instant now) {
        List<Announcement> directory = wire.directory();
        if (directory.stream().noneMatch(entry -> entry.replica().equals(replica))) {
            return Instant.MIN;
        }
        Instant heard = now;
        for (String stream : streams) {
            boolean isOwned =
                    directory.stream().anyMatch(entry -> entry.streams().contains(stream));
            Instant heardOfStream = isOwned ? heard(stream) : now;
            heard = heardOfStream.isBefore(heard) ? heardOfStream : heard;
        }
        return heard;
    }

    private Instant heard(String stream) {
        Samples ofStream = samples.get(stream);
        return ofStream == null ? Instant.MIN : ofStream.heard(lowestPositions(stream));
    }

    /** Returns the position of every segment that reads the stream. */
    private List<@Nullable StreamPosition> lowestPositions(String stream) {
        return readers.getOrDefault(stream, Set.of()).stream()
                .flatMap(processor -> tokens.findAll(processor).stream())
                .map(ClaimedToken::token)
                .<@Nullable StreamPosition>map(token -> token.positions().get(stream))
                .toList();
    }

    /** The heads of one stream, as its owner reported them, oldest first. */
    private final class Samples {

        private final String stream;
        private final Deque<Sample> taken = new ArrayDeque<>();
        private @Nullable CompletableFuture<StreamPage> request;
        private Instant askedAt = Instant.MIN;
        private Instant heardUntil = Instant.MIN;

        Samples(String stream) {
            this.stream = stream;
        }

        void sample(Instant now) {
            collect();
            boolean isFull =
                    taken.size() == MAX_SAMPLES; // the readers are far behind; the samples are still to be reached
            if (request == null
                    && !isFull
                    && (askedAt.equals(Instant.MIN) || !now.isBefore(askedAt.plus(SAMPLE_INTERVAL)))) {
                askedAt = now;
                request = wire.request(new PageRequest(stream, Long.MAX_VALUE - 1, 1));
            }
        }

        private void collect() {
            CompletableFuture<StreamPage> answered = request;
            if (answered == null || !answered.isDone()) {
                return;
            }
            request = null;
            if (!answered.isCompletedExceptionally()) {
                taken.addLast(new Sample(askedAt, answered.join().head()));
            }
        }

        Instant heard(List<@Nullable StreamPosition> positions) {
            collect();
            for (Sample next = taken.peekFirst();
                    next != null && positions.stream().allMatch(next::isReachedBy);
                    next = taken.peekFirst()) {
                heardUntil = next.at;
                taken.removeFirst();
            }
            return heardUntil;
        }
    }

    private record Sample(Instant at, StreamHead head) {

        boolean isReachedBy(@Nullable StreamPosition position) {
            return head.position() == 0
                    || (position != null
                            && position.log().id().equals(head.log().id())
                            && position.position() >= head.position());
        }
    }
}
