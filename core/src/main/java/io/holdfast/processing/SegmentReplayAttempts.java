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
final class SegmentReplayAttempts {

    /** How many letters of a sequence are handled and committed together at most. */
    private static final int CHUNK = 100;

    private final ProcessorContext context;
    private final ParkedSequences parked;
    private final SegmentReplays replays;
    private final List<ReplayAttempt> attempts = new ArrayList<>();
    private boolean requestedFirst;

    SegmentReplayAttempts(ProcessorContext context, ParkedSequences parked, SegmentReplays replays) {
        this.context = context;
        this.parked = parked;
        this.replays = replays;
    }

    boolean isEmpty() {
        return attempts.isEmpty();
    }

    List<HandlerTask> tasks() {
        List<HandlerTask> tasks = new ArrayList<>();
        attempts.forEach(drain -> tasks.addAll(drain.tasks()));
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
        attempts.stream().filter(ReplayAttempt::isWaiting).forEach(drain -> tasks.addAll(drain.tasks()));
        if (begin && (!parked.isEmpty() || replays.isWaiting())) {
            start(context.settings().batch() - tasks.size()).forEach(drain -> {
                attempts.add(drain);
                tasks.addAll(drain.tasks());
            });
        }
        return tasks;
    }

    /** What was taken and cannot be begun, since the store does not answer, waits for its turn again. */
    private List<ReplayAttempt> start(int most) {
        List<ParkedSequences.ReplayCandidate> turns = new ArrayList<>();
        boolean begun = false;
        try {
            claimTurns(most, turns);
            List<ReplayAttempt> loaded = load(turns);
            begun = true;
            return loaded;
        } finally {
            if (!begun) {
                turns.forEach(this::release);
            }
        }
    }

    private void release(ParkedSequences.ReplayCandidate turn) {
        SequenceId id = turn.sequence().id();
        parked.finishReplay(id, turn.probedBreaker(), false);
        replays.reschedule(id);
    }

    private void claimTurns(int most, List<ParkedSequences.ReplayCandidate> turns) {
        int letters = 0;
        Optional<ParkedSequences.ReplayCandidate> turn = letters < most ? nextTurn() : Optional.empty();
        while (turn.isPresent()) {
            turns.add(turn.get());
            letters += Math.min(turn.get().sequence().size(), CHUNK);
            turn = letters < most ? nextTurn() : Optional.empty();
        }
    }

    /** What was asked for and what is due take turns: a bulk replay may go on for long. */
    private Optional<ParkedSequences.ReplayCandidate> nextTurn() {
        requestedFirst = !requestedFirst;
        return requestedFirst
                ? replays.next(parked).or(() -> parked.claimDue(context.now()))
                : parked.claimDue(context.now()).or(() -> replays.next(parked));
    }

    /** One query for the letters of all of which as many are handled at once, and one more of each. */
    private List<ReplayAttempt> load(List<ParkedSequences.ReplayCandidate> turns) {
        Map<Integer, List<ParkedSequence>> byChunk = turns.stream()
                .map(ParkedSequences.ReplayCandidate::sequence)
                .collect(Collectors.groupingBy(sequence -> chunk(component(sequence))));
        Map<SequenceId, List<DeadLetter>> letters = new HashMap<>();
        byChunk.forEach((chunk, sequences) ->
                letters.putAll(context.stores().letters().findFirstLetters(sequences, chunk + 1)));
        return turns.stream()
                .map(turn -> attempt(turn, letters.getOrDefault(turn.sequence().id(), List.of())))
                .toList();
    }

    private BoundComponent component(ParkedSequence sequence) {
        return context.component(sequence.id().component()).orElseThrow();
    }

    private static int chunk(BoundComponent component) {
        return component.component().callsOutside() ? 1 : CHUNK;
    }

    private ReplayAttempt attempt(ParkedSequences.ReplayCandidate turn, List<DeadLetter> read) {
        ParkedSequence sequence = turn.sequence();
        BoundComponent component = component(sequence);
        List<DeadLetter> letters = read.isEmpty() ? findLettersBeyondGap(sequence) : read;
        int chunk = Math.min(chunk(component), letters.size());
        List<HandlerTask> tasks = letters.subList(0, chunk).stream()
                .map(letter -> new HandlerTask(letter, component, sequence.hash()))
                .toList();
        DeadLetter next = chunk < letters.size() ? letters.get(chunk) : null;
        return new ReplayAttempt(sequence, tasks, next, turn.probedBreaker(), replays.isRequested(sequence.id()));
    }

    /** Many letters behind the head have been taken out. */
    private List<DeadLetter> findLettersBeyondGap(ParkedSequence sequence) {
        List<DeadLetter> letters = context.stores().letters().findLetters(sequence.id(), sequence.first(), CHUNK + 1);
        if (letters.isEmpty()) {
            throw new PermanentException("sequence " + sequence.id() + " is parked with " + sequence.size()
                    + " letters from number " + sequence.first() + " on, but the store has none");
        }
        return letters;
    }

    /** The segment is given up: what was being tried is no longer this process's matter. */
    void abandon() {
        parked.abandon(attempts);
    }

    void refresh() {
        attempts.forEach(drain -> drain.tasks().forEach(HandlerTask::refreshState));
    }

    /** What has come of them, as far as it fits. */
    void addTo(UnitBuilder draft, int most) {
        for (ReplayAttempt drain : attempts) {
            if (draft.size() < most && !drain.isRunning() && drain.hasResult()) {
                draft.add(drain);
            }
        }
    }

    /** To be called when what is parked is as the drain has left it. */
    void committed(ReplayAttempt drain) {
        attempts.remove(drain);
        SequenceId id = drain.sequence().id();
        HandlerTask failed = drain.failed();
        parked.finishReplay(id, drain.probedBreaker(), failed == null);
        ParkedSequence left = parked.findCached(id);
        boolean isKept = failed != null
                && left != null
                && left.first() == ReplayAttempt.letter(failed).number();
        replays.attempted(id, left == null, isKept);
    }

    /**
     * Takes the first half only of what one drain has handled; the rest is begun again after it.
     *
     * @return whether there was more than one letter
     */
    boolean halve(List<ReplayAttempt> rejected) {
        if (rejected.isEmpty() || rejected.get(0).handled() < 2) {
            return false;
        }
        ReplayAttempt whole = rejected.get(0);
        ReplayAttempt half = whole.first(whole.handled() / 2);
        attempts.set(attempts.indexOf(whole), half.tasks().get(0).writesApplicationRows() ? half.restarted() : half);
        return true;
    }

    /** What was written for it is gone, and has to be written again. */
    void restart(ReplayAttempt drain) {
        attempts.set(attempts.indexOf(drain), drain.restarted());
    }
}
