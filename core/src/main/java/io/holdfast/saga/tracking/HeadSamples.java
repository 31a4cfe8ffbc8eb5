package io.holdfast.saga.tracking;

import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.StreamPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The heads of one stream, as its owner reported them, oldest first. Not thread-safe. */
final class HeadSamples {

    private static final int MAX_SAMPLES = 60;

    private final Duration interval;
    private final Deque<Sample> taken = new ArrayDeque<>();
    private @Nullable CompletableFuture<StreamPage> request;
    private @Nullable Instant askedAt;
    private Instant heardUntil = Instant.MIN;

    /** @param interval the time between two requests */
    HeadSamples(Duration interval) {
        this.interval = interval;
    }

    /** Asks for the head, unless a request is open or the last one is recent. */
    void sample(Instant now, Supplier<CompletableFuture<StreamPage>> ask) {
        collect();
        if (request == null && (askedAt == null || !now.isBefore(askedAt.plus(interval)))) {
            askedAt = now;
            request = ask.get();
        }
    }

    private void collect() {
        CompletableFuture<StreamPage> answered = request;
        if (answered == null || askedAt == null || !answered.isDone()) {
            return;
        }
        request = null;
        if (!answered.isCompletedExceptionally()) {
            if (taken.size() == MAX_SAMPLES) {
                taken.removeLast(); // the readers are far behind: they reach the older samples first
            }
            taken.addLast(new Sample(askedAt, answered.join().head()));
        }
    }

    /**
     * Returns the time of the newest sample that all segments have reached. An older one may never be reached, if the
     * source has lost its newest events since.
     */
    Instant heard(Collection<@Nullable StreamPosition> positions) {
        collect();
        Iterator<Sample> newestFirst = taken.descendingIterator();
        while (newestFirst.hasNext()) {
            Sample sample = newestFirst.next();
            if (sample.isReachedBy(positions)) {
                heardUntil = sample.at;
                taken.removeIf(other -> !other.at.isAfter(sample.at));
                break;
            }
        }
        return heardUntil;
    }

    private record Sample(Instant at, StreamHead head) {

        /** Without a position, nothing was read yet. */
        boolean isReachedBy(Collection<@Nullable StreamPosition> positions) {
            return !positions.isEmpty() && positions.stream().allMatch(this::isReachedBy);
        }

        private boolean isReachedBy(@Nullable StreamPosition position) {
            return head.position() == 0
                    || (position != null
                            && position.log().id().equals(head.log().id())
                            && position.position() >= head.position());
        }
    }
}
