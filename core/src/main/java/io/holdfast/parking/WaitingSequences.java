package io.holdfast.parking;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.parking.ParkedSequences.ReplayCandidate;
import io.holdfast.worker.MonotonicTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The RETRYING and HELD sequences of one segment, by the time at which each is due. Finding due sequences does not scan
 * the others. Not thread-safe.
 */
final class WaitingSequences {

    private static final Comparator<WaitingSequence> BY_NEXT_ATTEMPT = Comparator.comparing(WaitingSequence::due)
            .thenComparing(waiting -> waiting.sequence().id().component())
            .thenComparing(waiting -> waiting.sequence().id().sequence());

    private final BreakerProbes probes;
    private final SequenceTimes times;
    private final Predicate<ParkedSequence> isFree;
    private final Map<SequenceId, WaitingSequence> waiting = new HashMap<>();
    private final NavigableSet<WaitingSequence> retrying = new TreeSet<>(BY_NEXT_ATTEMPT);
    private final NavigableMap<String, HeldByBreaker> held = new TreeMap<>();
    private String lastBreaker = "";
    private boolean heldFirst;

    /** @param isFree whether a sequence is not being replayed */
    WaitingSequences(BreakerProbes probes, SequenceTimes times, Predicate<ParkedSequence> isFree) {
        this.probes = probes;
        this.times = times;
        this.isFree = isFree;
    }

    boolean contains(SequenceId id) {
        return waiting.containsKey(id);
    }

    @Nullable
    WaitingSequence find(SequenceId id) {
        return waiting.get(id);
    }

    /** @param before the same sequence before it changed, if it was waiting */
    void add(ParkedSequence sequence, @Nullable WaitingSequence before) {
        WaitingSequence added = times.convert(sequence, before);
        waiting.put(sequence.id(), added);
        if (sequence.state() == SequenceState.RETRYING) {
            retrying.add(added);
        } else if (sequence.heldBy() != null) {
            held.computeIfAbsent(sequence.heldBy(), unknown -> new HeldByBreaker())
                    .add(added);
        }
    }

    void remove(SequenceId id) {
        WaitingSequence known = waiting.remove(id);
        if (known == null) {
            return;
        }
        retrying.remove(known);
        String breaker = known.sequence().heldBy();
        HeldByBreaker sameBreaker = breaker == null ? null : held.get(breaker);
        if (sameBreaker != null) {
            sameBreaker.remove(known);
            if (sameBreaker.isEmpty()) {
                held.remove(breaker);
            }
        }
    }

    /** Returns a sequence to claim, see {@link ParkedSequences#claimDue}. */
    Optional<ReplayCandidate> nextDue() {
        MonotonicTime now = times.now();
        heldFirst = !heldFirst;
        return heldFirst
                ? nextHeld(now).or(() -> nextRetrying(now))
                : nextRetrying(now).or(() -> nextHeld(now));
    }

    private Optional<ReplayCandidate> nextRetrying(MonotonicTime now) {
        return retrying.stream()
                .takeWhile(scheduled -> !now.isBefore(scheduled.due()))
                .map(WaitingSequence::sequence)
                .filter(isFree)
                .findFirst()
                .map(sequence -> new ReplayCandidate(sequence, null, false));
    }

    private Optional<ReplayCandidate> nextHeld(MonotonicTime now) {
        return nextHeld(held.tailMap(lastBreaker, false), now).or(() -> nextHeld(held.headMap(lastBreaker, true), now));
    }

    private Optional<ReplayCandidate> nextHeld(Map<String, HeldByBreaker> breakers, MonotonicTime now) {
        for (Map.Entry<String, HeldByBreaker> entry : breakers.entrySet()) {
            Optional<ParkedSequence> next = entry.getValue().next(isFree);
            if (next.isPresent() && probes.tryAcquire(entry.getKey(), now)) {
                lastBreaker = entry.getKey();
                return Optional.of(new ReplayCandidate(next.get(), entry.getKey(), false));
            }
        }
        return Optional.empty();
    }

    Duration waited(ParkedSequence sequence) {
        return times.waited(sequence, waiting.get(sequence.id()));
    }

    /** As {@link ParkedSequences#heldTooLong}. */
    Stream<ParkedSequence> heldTooLong(Duration maxHold) {
        MonotonicTime since = times.now().minus(maxHold);
        return held.entrySet().stream()
                .filter(entry -> probes.isDown(entry.getKey()))
                .flatMap(entry -> entry.getValue().heldSince(since))
                .filter(isFree);
    }

    Duration untilDue(Duration maxHold) {
        MonotonicTime now = times.now();
        MonotonicTime next = retrying.stream()
                .filter(scheduled -> isFree.test(scheduled.sequence()))
                .findFirst()
                .map(WaitingSequence::due)
                .orElse(MonotonicTime.MAX);
        for (Map.Entry<String, HeldByBreaker> entry : held.entrySet()) {
            Optional<MonotonicTime> oldest = entry.getValue().oldestHeldSince(isFree);
            if (oldest.isPresent()) {
                next = earlier(next, probes.nextProbeAt(entry.getKey(), now));
                next = probes.isDown(entry.getKey())
                        ? earlier(next, oldest.get().plus(maxHold))
                        : next;
            }
        }
        return now.until(next);
    }

    private static MonotonicTime earlier(MonotonicTime one, MonotonicTime other) {
        return one.isBefore(other) ? one : other;
    }
}
