package io.holdfast.parking;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import java.time.Duration;
import java.time.Instant;
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
 * The parked sequences of one segment: loaded when the segment is claimed, then changed only by its own commits; no
 * other commit can intervene. All RETRYING and HELD sequences are in memory. So are the PENDING ones, unless there are
 * too many: then one query per batch loads those that it needs. A healthy event needs no query of its own, and finding
 * due sequences does not scan the others. Not thread-safe.
 */
public final class ParkedSequences {

    private static final Comparator<ParkedSequence> BY_NEXT_ATTEMPT = Comparator.comparing(ParkedSequence::nextAttempt)
            .thenComparing(sequence -> sequence.id().component())
            .thenComparing(sequence -> sequence.id().sequence());

    private final ParkedSequenceLoader loader;
    private final BreakerProbes probes;
    private final Map<SequenceId, ParkedSequence> waiting = new HashMap<>();
    private final Map<SequenceId, ParkedSequence> pending = new HashMap<>();
    /** Sequences that were queried and are not parked; only this segment's owner could have changed that. */
    private final Set<SequenceId> absent = new HashSet<>();

    private final NavigableSet<ParkedSequence> retrying = new TreeSet<>(BY_NEXT_ATTEMPT);
    private final NavigableMap<String, HeldByBreaker> held = new TreeMap<>();
    /** Concurrent, because a segment may be abandoned while one of its transactions is still running. */
    private final Set<SequenceId> replaying = ConcurrentHashMap.newKeySet();

    private final Map<SequenceState, Integer> counts = new EnumMap<>(SequenceState.class);
    private final Map<Awaited, Integer> awaited = new HashMap<>();
    private String lastBreaker = "";
    private boolean heldFirst;
    private boolean cacheIncomplete;

    /**
     * A sequence to replay now.
     *
     * @param probedBreaker the breaker that the replay probes, or null
     */
    public record ReplayCandidate(ParkedSequence sequence, @Nullable String probedBreaker) {}

    public ParkedSequences(ParkedSequenceLoader loader, BreakerProbes probes) {
        this.loader = loader;
        this.probes = probes;
        List<ParkedSequence> loaded = loader.findAll();
        loaded.forEach(this::add);
        loaded.stream()
                .filter(sequence -> sequence.heldBy() != null)
                .forEach(sequence ->
                        probes.registerHeld(Objects.requireNonNull(sequence.heldBy()), sequence.nextAttempt()));
    }

    public boolean contains(SequenceId id) {
        return !isEmpty() && find(id) != null;
    }

    @Nullable
    public ParkedSequence find(SequenceId id) {
        ParkedSequence known = findCached(id);
        if (known == null && cacheIncomplete && !absent.contains(id)) {
            load(List.of(id));
            return pending.get(id);
        }
        return known;
    }

    /**
     * Returns the cached sequence and never queries the store. A sequence that a unit has just changed is always
     * cached.
     */
    @Nullable
    public ParkedSequence findCached(SequenceId id) {
        return waiting.getOrDefault(id, pending.get(id));
    }

    public boolean isEmpty() {
        return counts.isEmpty();
    }

    /** Returns what the sequences await from another version of the service. */
    public Set<Awaited> awaited() {
        return Set.copyOf(awaited.keySet());
    }

    private void countAwaited(ParkedSequence sequence, int change) {
        if (sequence.awaits() != null) {
            awaited.merge(new Awaited(sequence.id().component(), sequence.awaits()), change, (one, other) -> {
                int sum = one + other;
                return sum == 0 ? null : sum;
            });
        }
    }

    public Map<SequenceState, Integer> counts() {
        return Map.copyOf(counts);
    }

    private int count(SequenceState state) {
        return counts.getOrDefault(state, 0);
    }

    /**
     * If the cache is incomplete, queries once which of these sequences are parked, and drops the others from the
     * cache. Loads all PENDING sequences again once there are few enough.
     *
     * @param open supplies the sequences that must be cached
     */
    public void prefetch(Supplier<Set<SequenceId>> open) {
        if (!cacheIncomplete) {
            return;
        }
        if (count(SequenceState.PENDING) <= loader.cacheSize() / 2) {
            loader.findPending().stream()
                    .filter(sequence ->
                            !absent.contains(sequence.id()) // otherwise it is being parked and not counted yet
                                    && !waiting.containsKey(sequence.id())) // it awaited this version
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
            List<ParkedSequence> parked = loader.findByIds(unknown); // if this throws, nothing is recorded
            absent.addAll(unknown);
            for (ParkedSequence found : parked) {
                absent.remove(found.id());
                pending.put(found.id(), found);
            }
        }
    }

    public void put(ParkedSequence sequence) {
        remove(sequence.id());
        absent.remove(sequence.id());
        add(sequence);
    }

    private void add(ParkedSequence sequence) {
        counts.merge(sequence.state(), 1, Integer::sum);
        countAwaited(sequence, 1);
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

    /**
     * Removes a sequence that is cached. A sequence that a unit changes was cached when the unit was built; the store
     * already has its new state, which is not counted yet.
     */
    public void remove(SequenceId id) {
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
        countAwaited(known, -1);
        retrying.remove(known);
        HeldByBreaker sameBreaker = known.heldBy() == null ? null : held.get(known.heldBy());
        if (sameBreaker != null) {
            sameBreaker.remove(known);
            if (sameBreaker.isEmpty()) {
                held.remove(known.heldBy());
            }
        }
    }

    /** Claims a sequence for a replay, whatever its state, unless it is being replayed. */
    public Optional<ReplayCandidate> claim(SequenceId id) {
        ParkedSequence sequence = find(id);
        return sequence != null && replaying.add(id)
                ? Optional.of(new ReplayCandidate(sequence, null))
                : Optional.empty();
    }

    /**
     * Claims a sequence whose first letter is due. It is in replay until {@link #finishReplay}. RETRYING sequences and
     * those of each breaker alternate, so that many of one kind do not starve the others.
     */
    public Optional<ReplayCandidate> claimDue(Instant now) {
        heldFirst = !heldFirst;
        Optional<ReplayCandidate> due = heldFirst
                ? nextHeld(now).or(() -> nextRetrying(now))
                : nextRetrying(now).or(() -> nextHeld(now));
        due.ifPresent(candidate -> replaying.add(candidate.sequence().id()));
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

    /** @param probedBreaker the breaker that the replay probed, or null */
    public void finishReplay(SequenceId id, @Nullable String probedBreaker, boolean succeeded) {
        if (replaying.remove(id) && probedBreaker != null) {
            probes.completed(probedBreaker, succeeded);
        }
    }

    /**
     * Returns the sequences that have been HELD for too long. A breaker does not count if its dependency responds
     * again, or if this process has not probed it yet: its sequences wait for a probe.
     */
    public List<ParkedSequence> heldTooLong(Instant now, Duration maxHold, int limit) {
        Instant since = now.minus(maxHold);
        return held.entrySet().stream()
                .filter(entry -> probes.isDown(entry.getKey()))
                .flatMap(entry -> entry.getValue().heldSince(since))
                .filter(this::isFree)
                .limit(limit)
                .toList();
    }

    /** Returns when the next sequence is due; {@link Instant#MAX} if none is scheduled. */
    public Instant nextDue(Instant now, Duration maxHold) {
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

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
