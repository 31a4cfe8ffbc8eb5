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
import java.util.HashSet;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parked sequences of one segment: loaded when the segment is claimed, changed by its own commits, which nobody else's
 * can come between. Those that go on by themselves are all known in memory. So are those that wait for a person, unless they are
 * too many: then the sequences of each batch are asked for together. A healthy event costs no query, and finding what is due
 * does not look at what is not. For one thread.
 */
final class ParkedSequences {

    private static final Comparator<ParkedSequence> BY_NEXT_ATTEMPT = Comparator.comparing(ParkedSequence::nextAttempt)
            .thenComparing(sequence -> sequence.id().component())
            .thenComparing(sequence -> sequence.id().sequence());

    private final ParkedSequenceLoader loader;
    private final BreakerProbes probes;
    private final Map<SequenceId, ParkedSequence> waiting = new HashMap<>();
    private final Map<SequenceId, ParkedSequence> pending = new HashMap<>();
    /** What was asked for and is not parked; nobody but this segment's owner could have changed that. */
    private final Set<SequenceId> absent = new HashSet<>();

    private final NavigableSet<ParkedSequence> retrying = new TreeSet<>(BY_NEXT_ATTEMPT);
    private final NavigableMap<String, HeldByBreaker> held = new TreeMap<>();
    /** Concurrent, since a segment may be given up while a transaction of it still runs. */
    private final Set<SequenceId> replaying = ConcurrentHashMap.newKeySet();

    private final Map<SequenceState, Integer> counts = new EnumMap<>(SequenceState.class);
    private String lastBreaker = "";
    private boolean heldFirst;
    private boolean cacheIncomplete;

    /**
     * One that is to be tried now.
     *
     * @param probedBreaker the breaker whose probe it is, or null
     */
    record ReplayCandidate(ParkedSequence sequence, @Nullable String probedBreaker) {}

    ParkedSequences(ParkedSequenceLoader load, BreakerProbes probes) {
        this.loader = load;
        this.probes = probes;
        List<ParkedSequence> loaded = load.findAll();
        loaded.forEach(this::add);
        loaded.stream()
                .filter(sequence -> sequence.heldBy() != null)
                .forEach(sequence ->
                        probes.registerHeld(Objects.requireNonNull(sequence.heldBy()), sequence.nextAttempt()));
    }

    boolean contains(SequenceId id) {
        return !isEmpty() && find(id) != null;
    }

    @Nullable
    ParkedSequence find(SequenceId id) {
        ParkedSequence known = findCached(id);
        if (known == null && cacheIncomplete && !absent.contains(id)) {
            load(List.of(id));
            return pending.get(id);
        }
        return known;
    }

    /** What is in memory of a sequence; all there is to know of one that a unit has just changed. Never asks the store. */
    @Nullable
    ParkedSequence findCached(SequenceId id) {
        return waiting.getOrDefault(id, pending.get(id));
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    Map<SequenceState, Integer> counts() {
        return Map.copyOf(counts);
    }

    private int count(SequenceState state) {
        return counts.getOrDefault(state, 0);
    }

    /**
     * Asks, if not everything is known, with one query which of these are parked, and forgets what is not among them.
     *
     * @param open the sequences that are to be known from now on
     */
    void prefetch(Supplier<Set<SequenceId>> open) {
        if (!cacheIncomplete) {
            return;
        }
        if (count(SequenceState.PENDING) <= loader.cacheSize() / 2) {
            loader.findPending().stream()
                    .filter(sequence -> !absent.contains(sequence.id())) // else it is being parked, and not counted yet
                    .forEach(sequence -> pending.put(sequence.id(), sequence));
            absent.clear();
            cacheIncomplete = false;
            return;
        }
        Set<SequenceId> wanted = open.get();
        pending.keySet().removeIf(id -> !wanted.contains(id) && !replaying.contains(id));
        absent.retainAll(wanted);
        load(wanted.stream()
                .filter(id -> !waiting.containsKey(id) && !pending.containsKey(id) && !absent.contains(id))
                .toList());
    }

    private void load(List<SequenceId> unknown) {
        if (!unknown.isEmpty()) {
            List<ParkedSequence> answer = loader.findByIds(unknown); // if that fails, nothing is known
            absent.addAll(unknown);
            for (ParkedSequence found : answer) {
                absent.remove(found.id());
                pending.put(found.id(), found);
            }
        }
    }

    void put(ParkedSequence sequence) {
        remove(sequence.id());
        absent.remove(sequence.id());
        add(sequence);
    }

    private void add(ParkedSequence sequence) {
        counts.merge(sequence.state(), 1, Integer::sum);
        if (sequence.state() == SequenceState.PENDING) {
            pending.put(sequence.id(), sequence);
            cacheIncomplete |= count(SequenceState.PENDING) > loader.cacheSize();
            return;
        }
        waiting.put(sequence.id(), sequence);
        if (sequence.state() == SequenceState.RETRYING) {
            retrying.add(sequence);
        } else if (sequence.heldBy() != null) {
            held.computeIfAbsent(sequence.heldBy(), unknown -> new HeldByBreaker())
                    .add(sequence);
        }
    }

    /** What a unit changes is known since it was formed; the store has what it is by now, which was not counted. */
    void remove(SequenceId id) {
        ParkedSequence known = findCached(id);
        if (known == null) {
            return;
        }
        waiting.remove(id);
        pending.remove(id);
        if (cacheIncomplete) {
            absent.add(id);
        }
        counts.computeIfPresent(known.state(), (state, count) -> count == 1 ? null : count - 1);
        retrying.remove(known);
        HeldByBreaker sameBreaker = known.heldBy() == null ? null : held.get(known.heldBy());
        if (sameBreaker != null) {
            sameBreaker.remove(known);
            if (sameBreaker.isEmpty()) {
                held.remove(known.heldBy());
            }
        }
    }

    /** Takes one whatever it waits for, unless it is being drained. */
    Optional<ReplayCandidate> claim(SequenceId id) {
        ParkedSequence sequence = find(id);
        return sequence != null && replaying.add(id)
                ? Optional.of(new ReplayCandidate(sequence, null))
                : Optional.empty();
    }

    /**
     * One whose head is to be tried now. It is being drained from then on, until that has ended. Those that wait for a time
     * and those of each breaker take turns, so that many of one kind do not keep the others from being tried.
     */
    Optional<ReplayCandidate> claimDue(Instant now) {
        heldFirst = !heldFirst;
        Optional<ReplayCandidate> due = heldFirst
                ? nextHeld(now).or(() -> nextRetrying(now))
                : nextRetrying(now).or(() -> nextHeld(now));
        due.ifPresent(turn -> replaying.add(turn.sequence().id()));
        return due;
    }

    private Optional<ReplayCandidate> nextRetrying(Instant now) {
        return retrying.stream()
                .takeWhile(sequence -> !now.isBefore(sequence.nextAttempt()))
                .filter(this::isFree)
                .findFirst()
                .map(sequence -> new ReplayCandidate(sequence, null));
    }

    private Optional<ReplayCandidate> nextHeld(Instant now) {
        return nextHeld(held.tailMap(lastBreaker, false), now).or(() -> nextHeld(held.headMap(lastBreaker, true), now));
    }

    private Optional<ReplayCandidate> nextHeld(Map<String, HeldByBreaker> breakers, Instant now) {
        for (Map.Entry<String, HeldByBreaker> entry : breakers.entrySet()) {
            Optional<ParkedSequence> next = entry.getValue().next(this::isFree);
            if (next.isPresent() && probes.tryAcquire(entry.getKey(), now)) {
                lastBreaker = entry.getKey();
                return Optional.of(new ReplayCandidate(next.get(), entry.getKey()));
            }
        }
        return Optional.empty();
    }

    private boolean isFree(ParkedSequence sequence) {
        return !replaying.contains(sequence.id());
    }

    /** @param probing the breaker whose probe it was, or null */
    void finishReplay(SequenceId id, @Nullable String probing, boolean succeeded) {
        if (replaying.remove(id) && probing != null) {
            probes.completed(probing, succeeded);
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
                .flatMap(entry -> entry.getValue().heldSince(since))
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
        for (Map.Entry<String, HeldByBreaker> entry : held.entrySet()) {
            Optional<Instant> oldest = entry.getValue().oldestHeldSince(this::isFree);
            if (oldest.isPresent()) {
                next = earlier(next, probes.nextProbeAt(entry.getKey(), now));
                next = probes.isDown(entry.getKey())
                        ? earlier(next, oldest.get().plus(maxHold))
                        : next;
            }
        }
        return next;
    }

    /** The segment is given up: what was being tried is no longer this process's matter. */
    void abandon(Collection<ReplayAttempt> drains) {
        drains.forEach(drain -> finishReplay(drain.sequence().id(), drain.probedBreaker(), false));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
