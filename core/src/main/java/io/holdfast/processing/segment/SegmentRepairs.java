package io.holdfast.processing.segment;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.RepairResult;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.parking.ParkedSequences;
import io.holdfast.token.Token;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The letters of a segment that operators change: discard, restore or edit. Each change is part of a unit of the segment,
 * which does not reject units that run, as a change by another replica would. Meanwhile, its sequence is not replayed. Not
 * thread-safe; used by one thread at a time.
 */
final class SegmentRepairs {

    private final DeadLetterStore letters;
    private final ParkedSequences parked;
    private final SegmentReplays replays;
    private final Predicate<String> isLoaded;
    private final Runnable requireUnchanged;
    private final List<LetterRepair> requested = new ArrayList<>();
    private final Set<LetterRepair> claimed = new HashSet<>();

    /**
     * @param replays the requested replays, which continue once a letter of their sequence is changed
     * @param isLoaded whether the segment loads the sequences of a component
     * @param requireUnchanged throws if the stored token has changed since the segment was opened
     */
    SegmentRepairs(
            DeadLetterStore letters,
            ParkedSequences parked,
            SegmentReplays replays,
            Predicate<String> isLoaded,
            Runnable requireUnchanged) {
        this.letters = letters;
        this.parked = parked;
        this.replays = replays;
        this.isLoaded = isLoaded;
        this.requireUnchanged = requireUnchanged;
    }

    void request(LetterRepair repair) {
        requested.add(repair);
    }

    boolean isEmpty() {
        return requested.isEmpty();
    }

    /** Adds the letters whose sequences are not being replayed, as far as they fit. */
    void addTo(UnitBuilder unit, Token token, int limit) {
        for (LetterRepair repair : List.copyOf(requested)) {
            if (unit.size() < limit && !unit.isRepairing(repair.sequence()) && claim(repair)) {
                add(repair, unit, token);
            }
        }
    }

    private boolean claim(LetterRepair repair) {
        if (claimed.contains(repair)) {
            return true;
        }
        if (parked.claim(repair.sequence()).isPresent()) {
            claimed.add(repair);
            return true;
        }
        if (parked.find(repair.sequence()) != null) {
            return false; // it is being replayed
        }
        if (repair.startsSequence() && isUnparked(repair.sequence())) {
            return true;
        }
        requested.remove(repair);
        repair.onUnknown().run();
        return false;
    }

    private boolean isUnparked(SequenceId sequence) {
        boolean isUnparked =
                isLoaded.test(sequence.component()) && letters.find(sequence).isEmpty();
        requireUnchanged.run();
        return isUnparked;
    }

    private void add(LetterRepair repair, UnitBuilder unit, Token token) {
        RepairResult result = repair.change().apply(new Reads(unit), token);
        requireUnchanged.run();
        if (result.writes().isEmpty()) {
            complete(repair, result);
        } else {
            unit.add(repair, result);
        }
    }

    /** Completes repairs. Call it after the cached sequences were updated. */
    void committed(Map<LetterRepair, RepairResult> repairs) {
        new LinkedHashMap<>(repairs).forEach(this::complete);
    }

    /** Ends all repairs without a result, because the segment is abandoned. */
    void abandon() {
        List.copyOf(requested).forEach(repair -> complete(repair, RepairResult.NOTHING));
    }

    private void complete(LetterRepair repair, RepairResult result) {
        requested.remove(repair);
        if (claimed.remove(repair)) {
            parked.finishReplay(repair.sequence(), null, false);
            replays.reschedule(repair.sequence());
        }
        repair.onCompleted().accept(result);
    }

    /** The stored letters, and the sequences as this segment knows them. */
    private final class Reads implements LetterReads {

        private final UnitBuilder unit;

        Reads(UnitBuilder unit) {
            this.unit = unit;
        }

        @Override
        public Optional<ParkedSequence> find(SequenceId sequence) {
            return Optional.ofNullable(unit.current(sequence));
        }

        @Override
        public List<ParkedSequence> findSequences(Collection<SequenceId> ids) {
            return ids.stream().flatMap(id -> find(id).stream()).toList();
        }

        @Override
        public List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit) {
            return letters.findLetters(sequence, fromNumber, limit);
        }

        @Override
        public Optional<DeadLetter> findLetter(String component, UUID event) {
            return letters.findLetter(component, event);
        }
    }
}
