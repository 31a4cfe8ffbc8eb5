package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The parked sequences of a segment that are being tried again. For one thread at a time. */
final class SegmentDrains {

    /** How many letters of a sequence are handled and committed together at most. */
    private static final int CHUNK = 100;

    private final ProcessorContext context;
    private final ParkedSequences parked;
    private final SegmentReplays replays;
    private final List<Drain> drains = new ArrayList<>();
    private boolean requestedFirst;

    SegmentDrains(ProcessorContext context, ParkedSequences parked, SegmentReplays replays) {
        this.context = context;
        this.parked = parked;
        this.replays = replays;
    }

    boolean isEmpty() {
        return drains.isEmpty();
    }

    List<HandlerTask> tasks() {
        List<HandlerTask> tasks = new ArrayList<>();
        drains.forEach(drain -> tasks.addAll(drain.tasks()));
        return tasks;
    }

    /**
     * What is to be handled now: what has to be handled again, and letters of sequences that somebody has asked for or that are
     * due.
     *
     * @param begin whether more may be begun; what was begun is brought to an end in any case
     */
    List<HandlerTask> startable(boolean begin) {
        List<HandlerTask> tasks = new ArrayList<>();
        drains.stream().filter(Drain::isWaiting).forEach(drain -> tasks.addAll(drain.tasks()));
        if (begin && (!parked.isEmpty() || replays.isWaiting())) {
            begin(context.settings().batch() - tasks.size()).forEach(drain -> {
                drains.add(drain);
                tasks.addAll(drain.tasks());
            });
        }
        return tasks;
    }

    /** What was taken and cannot be begun, since the store does not answer, waits for its turn again. */
    private List<Drain> begin(int most) {
        List<ParkedSequences.ReplayCandidate> turns = new ArrayList<>();
        boolean begun = false;
        try {
            take(most, turns);
            List<Drain> loaded = load(turns);
            begun = true;
            return loaded;
        } finally {
            if (!begun) {
                turns.forEach(this::giveBack);
            }
        }
    }

    private void giveBack(ParkedSequences.ReplayCandidate turn) {
        SequenceId id = turn.sequence().id();
        parked.drained(id, turn.probing(), false);
        replays.untried(id);
    }

    private void take(int most, List<ParkedSequences.ReplayCandidate> turns) {
        int letters = 0;
        Optional<ParkedSequences.ReplayCandidate> turn = letters < most ? next() : Optional.empty();
        while (turn.isPresent()) {
            turns.add(turn.get());
            letters += Math.min(turn.get().sequence().size(), CHUNK);
            turn = letters < most ? next() : Optional.empty();
        }
    }

    /** What was asked for and what is due take turns: a bulk replay may go on for long. */
    private Optional<ParkedSequences.ReplayCandidate> next() {
        requestedFirst = !requestedFirst;
        return requestedFirst
                ? replays.next(parked).or(() -> parked.takeDue(context.now()))
                : parked.takeDue(context.now()).or(() -> replays.next(parked));
    }

    /** One query for the letters of all of which as many are handled at once, and one more of each. */
    private List<Drain> load(List<ParkedSequences.ReplayCandidate> turns) {
        Map<Integer, List<ParkedSequence>> byChunk = turns.stream()
                .map(ParkedSequences.ReplayCandidate::sequence)
                .collect(Collectors.groupingBy(sequence -> chunk(component(sequence))));
        Map<SequenceId, List<DeadLetter>> letters = new HashMap<>();
        byChunk.forEach((chunk, sequences) ->
                letters.putAll(context.stores().letters().findFirstLetters(sequences, chunk + 1)));
        return turns.stream()
                .map(turn -> drain(turn, letters.getOrDefault(turn.sequence().id(), List.of())))
                .toList();
    }

    private BoundComponent component(ParkedSequence sequence) {
        return context.component(sequence.id().component()).orElseThrow();
    }

    private static int chunk(BoundComponent component) {
        return component.component().callsOutside() ? 1 : CHUNK;
    }

    private Drain drain(ParkedSequences.ReplayCandidate turn, List<DeadLetter> read) {
        ParkedSequence sequence = turn.sequence();
        BoundComponent component = component(sequence);
        List<DeadLetter> letters = read.isEmpty() ? beyondAGap(sequence) : read;
        int chunk = Math.min(chunk(component), letters.size());
        List<HandlerTask> tasks = letters.subList(0, chunk).stream()
                .map(letter -> new HandlerTask(letter, component, sequence.hash()))
                .toList();
        DeadLetter next = chunk < letters.size() ? letters.get(chunk) : null;
        return new Drain(sequence, tasks, next, turn.probing(), replays.isAsked(sequence.id()));
    }

    /** Many letters behind the head have been taken out. */
    private List<DeadLetter> beyondAGap(ParkedSequence sequence) {
        List<DeadLetter> letters = context.stores().letters().findLetters(sequence.id(), sequence.first(), CHUNK + 1);
        if (letters.isEmpty()) {
            throw new PermanentException("sequence " + sequence.id() + " is parked with " + sequence.size()
                    + " letters from number " + sequence.first() + " on, but the store has none");
        }
        return letters;
    }

    /** The segment is given up: what was being tried is no longer this process's matter. */
    void abandon() {
        parked.abandon(drains);
    }

    void look() {
        drains.forEach(drain -> drain.tasks().forEach(HandlerTask::look));
    }

    /** What has come of them, as far as it fits. */
    void addTo(UnitDraft draft, int most) {
        for (Drain drain : drains) {
            if (draft.size() < most && !drain.isRunning() && drain.hasResult()) {
                draft.add(drain);
            }
        }
    }

    /** To be called when what is parked is as the drain has left it. */
    void committed(Drain drain) {
        drains.remove(drain);
        SequenceId id = drain.sequence().id();
        HandlerTask failed = drain.failed();
        parked.drained(id, drain.probing(), failed == null);
        ParkedSequence left = parked.known(id);
        boolean isKept = failed != null
                && left != null
                && left.first() == Drain.letter(failed).number();
        replays.tried(id, left == null, isKept);
    }

    /**
     * Takes the first half only of what one drain has handled; the rest is begun again after it.
     *
     * @return whether there was more than one letter
     */
    boolean halve(List<Drain> refused) {
        if (refused.isEmpty() || refused.get(0).handled() < 2) {
            return false;
        }
        Drain whole = refused.get(0);
        Drain half = whole.first(whole.handled() / 2);
        drains.set(drains.indexOf(whole), half.tasks().get(0).writesApplicationRows() ? half.again() : half);
        return true;
    }

    /** What was written for it is gone, and has to be written again. */
    void undo(Drain drain) {
        drains.set(drains.indexOf(drain), drain.again());
    }
}
