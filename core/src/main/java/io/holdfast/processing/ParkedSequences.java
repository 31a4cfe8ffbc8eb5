package io.holdfast.processing;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All parked sequences of one segment, known in memory: loaded when the segment is claimed, changed by its own commits.
 * A healthy event costs no query, and finding what is due does not look at what is not. For one thread.
 */
final class ParkedSequences {

    private static final Comparator<ParkedSequence> BY_TIME = Comparator.comparing(
                    (ParkedSequence sequence) -> Objects.requireNonNullElse(sequence.nextAttempt(), Instant.MAX))
            .thenComparing(sequence -> sequence.id().component())
            .thenComparing(sequence -> sequence.id().sequence());

    private final HeldProbes probes;
    private final Map<SequenceId, ParkedSequence> all = new HashMap<>();
    private final NavigableSet<ParkedSequence> retrying = new TreeSet<>(BY_TIME);
    private final NavigableMap<String, HeldSequences> held = new TreeMap<>();
    /** Concurrent, since a segment may be given up while a transaction of it still runs. */
    private final Set<SequenceId> draining = ConcurrentHashMap.newKeySet();

    private final Map<SequenceState, Integer> counts = new EnumMap<>(SequenceState.class);
    private String lastBreaker = "";
    private boolean isHeldsTurn;

    ParkedSequences(Collection<ParkedSequence> loaded, HeldProbes probes) {
        this.probes = probes;
        loaded.forEach(this::put);
        loaded.stream()
                .filter(sequence -> sequence.heldBy() != null && sequence.nextAttempt() != null)
                .forEach(sequence -> probes.known(
                        Objects.requireNonNull(sequence.heldBy()), Objects.requireNonNull(sequence.nextAttempt())));
    }

    boolean contains(SequenceId id) {
        return !all.isEmpty() && all.containsKey(id);
    }

    @Nullable
    ParkedSequence find(SequenceId id) {
        return all.get(id);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    Map<SequenceState, Integer> counts() {
        return Map.copyOf(counts);
    }

    void put(ParkedSequence sequence) {
        remove(sequence.id());
        all.put(sequence.id(), sequence);
        counts.merge(sequence.state(), 1, Integer::sum);
        if (sequence.state() == SequenceState.RETRYING) {
            retrying.add(sequence);
        } else if (sequence.heldBy() != null) {
            held.computeIfAbsent(sequence.heldBy(), unknown -> new HeldSequences())
                    .add(sequence);
        }
    }

    void remove(SequenceId id) {
        ParkedSequence known = all.remove(id);
        if (known == null) {
            return;
        }
        counts.computeIfPresent(known.state(), (state, count) -> count == 1 ? null : count - 1);
        retrying.remove(known);
        HeldSequences sameBreaker = known.heldBy() == null ? null : held.get(known.heldBy());
        if (sameBreaker != null) {
            sameBreaker.remove(known);
            if (sameBreaker.isEmpty()) {
                held.remove(known.heldBy());
            }
        }
    }

    /**
     * One whose head is to be tried now. It is being drained from then on, until that has ended. Those that wait for a time
     * and those of each breaker take turns, so that many of one kind do not keep the others from being tried.
     */
    Optional<ParkedSequence> takeDue(Instant now) {
        isHeldsTurn = !isHeldsTurn;
        Optional<ParkedSequence> due = isHeldsTurn
                ? takeHeld(now).or(() -> findRetrying(now))
                : findRetrying(now).or(() -> takeHeld(now));
        due.ifPresent(sequence -> draining.add(sequence.id()));
        return due;
    }

    private Optional<ParkedSequence> findRetrying(Instant now) {
        return retrying.stream()
                .takeWhile(sequence -> !now.isBefore(Objects.requireNonNull(sequence.nextAttempt())))
                .filter(this::isFree)
                .findFirst();
    }

    private Optional<ParkedSequence> takeHeld(Instant now) {
        return takeHeld(held.tailMap(lastBreaker, false), now).or(() -> takeHeld(held.headMap(lastBreaker, true), now));
    }

    private Optional<ParkedSequence> takeHeld(Map<String, HeldSequences> breakers, Instant now) {
        for (Map.Entry<String, HeldSequences> entry : breakers.entrySet()) {
            Optional<ParkedSequence> next = entry.getValue().next(this::isFree);
            if (next.isPresent() && probes.tryOne(entry.getKey(), now)) {
                lastBreaker = entry.getKey();
                return next;
            }
        }
        return Optional.empty();
    }

    private boolean isFree(ParkedSequence sequence) {
        return !draining.contains(sequence.id());
    }

    /** @param by the breaker that it was held by when it was taken, or null */
    void drained(SequenceId id, @Nullable String by, boolean succeeded) {
        if (draining.remove(id) && by != null) {
            probes.ended(by, succeeded);
        }
    }

    /**
     * Those that have waited for a breaker for too long. What was down and answers again holds nobody any more, nor does
     * what this process has not asked yet: theirs wait for their turn.
     */
    List<ParkedSequence> heldTooLong(Instant now, Duration maxHold, int limit) {
        Instant since = now.minus(maxHold);
        return held.entrySet().stream()
                .filter(entry -> probes.isDown(entry.getKey()))
                .flatMap(entry -> entry.getValue().since(since))
                .filter(this::isFree)
                .limit(limit)
                .toList();
    }

    /** When the next of them is due; far away if nothing but a person can help. */
    Instant nextDue(Instant now, Duration maxHold) {
        Instant next = retrying.stream()
                .filter(this::isFree)
                .findFirst()
                .map(ParkedSequence::nextAttempt)
                .orElse(Instant.MAX);
        for (Map.Entry<String, HeldSequences> entry : held.entrySet()) {
            Optional<Instant> oldest = entry.getValue().oldest(this::isFree);
            if (oldest.isPresent()) {
                next = earlier(next, probes.next(entry.getKey(), now));
                next = probes.isDown(entry.getKey())
                        ? earlier(next, oldest.get().plus(maxHold))
                        : next;
            }
        }
        return next;
    }

    /** The segment is given up: what was being tried is no longer this process's matter. */
    void abandon() {
        for (SequenceId id : List.copyOf(draining)) {
            ParkedSequence sequence = all.get(id);
            drained(id, sequence == null ? null : sequence.heldBy(), false);
        }
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
