package io.holdfast.parking;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parked sequences of one segment: loaded when the segment is claimed, then changed only by its own commits; no
 * other commit can intervene. All RETRYING and HELD sequences are in memory. So are the PENDING ones, unless there are
 * too many: then one query per batch loads those that it needs. A healthy event needs no query of its own, and finding
 * due sequences does not scan the others. Not thread-safe.
 */
public final class ParkedSequences {

    private final ParkedSequenceLoader loader;
    private final BreakerProbes probes;
    private final WaitingSequences waiting;
    private final Map<SequenceId, ParkedSequence> pending = new HashMap<>();
    /** Sequences that were queried and are not parked; only this segment's owner could have changed that. */
    private final Set<SequenceId> absent = new HashSet<>();

    /** Concurrent, because a segment may be abandoned while one of its transactions is still running. */
    private final Set<SequenceId> replaying = ConcurrentHashMap.newKeySet();

    private final Map<SequenceState, Integer> counts = new EnumMap<>(SequenceState.class);
    private final Map<Awaited, Integer> awaited = new HashMap<>();
    private boolean cacheIncomplete;

    /**
     * A sequence to replay now.
     *
     * @param probedBreaker the breaker that the replay probes, or null
     * @param heldTooLong whether its first letter is recovered, without an attempt
     */
    public record ReplayCandidate(ParkedSequence sequence, @Nullable String probedBreaker, boolean heldTooLong) {}

    public ParkedSequences(ParkedSequenceLoader loader, BreakerProbes probes, SequenceTimes times) {
        this.loader = loader;
        this.probes = probes;
        this.waiting = new WaitingSequences(probes, times, sequence -> !replaying.contains(sequence.id()));
        for (ParkedSequence sequence : loader.findAll()) {
            add(sequence, null);
            WaitingSequence added = waiting.find(sequence.id());
            if (added != null && sequence.heldBy() != null) {
                probes.registerHeld(sequence.heldBy(), added.due());
            }
        }
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
     * cached. A waiting one comes first: if it awaited this version, the store has it as PENDING.
     */
    @Nullable
    public ParkedSequence findCached(SequenceId id) {
        WaitingSequence known = waiting.find(id);
        return known == null ? pending.get(id) : known.sequence();
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
                            !absent.contains(sequence.id())) // otherwise it is being parked and not counted yet
                    .forEach(sequence -> pending.put(sequence.id(), sequence));
            absent.clear();
            cacheIncomplete = false;
            return;
        }
        Set<SequenceId> wanted = open.get();
        pending.keySet().removeIf(id -> !wanted.contains(id) && !replaying.contains(id));
        absent.retainAll(wanted);
        load(wanted.stream()
                .filter(id -> !waiting.contains(id) && !pending.containsKey(id) && !absent.contains(id))
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
        WaitingSequence before = waiting.find(sequence.id());
        remove(sequence.id());
        absent.remove(sequence.id());
        add(sequence, before);
    }

    private void add(ParkedSequence sequence, @Nullable WaitingSequence before) {
        counts.merge(sequence.state(), 1, Integer::sum);
        countAwaited(sequence, 1);
        if (sequence.state() == SequenceState.PENDING) {
            pending.put(sequence.id(), sequence);
            cacheIncomplete |= count(SequenceState.PENDING) > loader.cacheSize();
            return;
        }
        waiting.add(sequence, before);
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
    }

    /** Claims a sequence for a replay, whatever its state, unless it is being replayed. */
    public Optional<ReplayCandidate> claim(SequenceId id) {
        ParkedSequence sequence = find(id);
        return sequence != null && replaying.add(id)
                ? Optional.of(new ReplayCandidate(sequence, null, false))
                : Optional.empty();
    }

    /**
     * Claims a sequence whose first letter is due. It is in replay until {@link #finishReplay}. RETRYING sequences and
     * those of each breaker alternate, so that many of one kind do not starve the others.
     */
    public Optional<ReplayCandidate> claimDue() {
        Optional<ReplayCandidate> due = waiting.nextDue();
        due.ifPresent(candidate -> replaying.add(candidate.sequence().id()));
        return due;
    }

    /**
     * Claims a sequence that has been HELD for too long, so that its first letter is recovered. It needs no probe: no
     * handler is called.
     *
     * @param isRecovered whether the component of a sequence has a recovery
     */
    public Optional<ReplayCandidate> claimHeldTooLong(Duration maxHold, Predicate<ParkedSequence> isRecovered) {
        Optional<ReplayCandidate> expired = waiting.heldTooLong(maxHold)
                .filter(isRecovered)
                .findFirst()
                .map(sequence -> new ReplayCandidate(sequence, null, true));
        expired.ifPresent(candidate -> replaying.add(candidate.sequence().id()));
        return expired;
    }

    /** @param probedBreaker the breaker that the replay probed, or null */
    public void finishReplay(SequenceId id, @Nullable String probedBreaker, boolean succeeded) {
        if (replaying.remove(id) && probedBreaker != null) {
            probes.completed(probedBreaker, succeeded);
        }
    }

    /** Returns for how long a sequence has been HELD or has awaited another version. */
    public Duration waited(ParkedSequence sequence) {
        return waiting.waited(sequence);
    }

    /**
     * Returns the sequences that have been HELD for too long. A breaker does not count if its dependency responds
     * again, or if this process has not probed it yet: its sequences wait for a probe.
     */
    public Stream<ParkedSequence> heldTooLong(Duration maxHold) {
        return waiting.heldTooLong(maxHold);
    }

    /** Returns the time until the next sequence is due; practically forever if none is scheduled. */
    public Duration untilDue(Duration maxHold) {
        return waiting.untilDue(maxHold);
    }
}
