package io.holdfast.processing.segment;

import io.holdfast.PermanentException;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.parking.BoundComponent;
import io.holdfast.parking.ParkedSequences;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The replay attempts in progress of a segment. Not thread-safe; used by one thread at a time. */
final class SegmentReplayAttempts {

    /** The maximum number of letters of a sequence that are handled and committed together. */
    private static final int CHUNK = 100;

    private final ProcessorContext context;
    private final SegmentComponents components;
    private final ParkedSequences parked;
    private final SegmentReplays replays;
    private final Runnable requireUnchanged;
    private final List<ReplayAttempt> attempts = new ArrayList<>();
    private boolean requestedFirst;

    /** @param requireUnchanged throws if the stored token has changed since the segment was opened */
    SegmentReplayAttempts(
            ProcessorContext context,
            SegmentComponents components,
            ParkedSequences parked,
            SegmentReplays replays,
            Runnable requireUnchanged) {
        this.context = context;
        this.components = components;
        this.parked = parked;
        this.replays = replays;
        this.requireUnchanged = requireUnchanged;
    }

    boolean isEmpty() {
        return attempts.isEmpty();
    }

    List<HandlerTask> tasks() {
        List<HandlerTask> tasks = new ArrayList<>();
        attempts.forEach(attempt -> tasks.addAll(attempt.tasks()));
        return tasks;
    }

    /**
     * Returns the tasks to run now: those that must run again, and letters of sequences that were requested or are due.
     *
     * @param startNew whether new attempts may start; attempts in progress continue in any case
     */
    List<HandlerTask> startable(boolean startNew) {
        List<HandlerTask> tasks = new ArrayList<>();
        attempts.stream().filter(ReplayAttempt::isWaiting).forEach(attempt -> tasks.addAll(attempt.tasks()));
        if (startNew && (!parked.isEmpty() || replays.isWaiting())) {
            start(context.settings().batch() - tasks.size()).forEach(attempt -> {
                attempts.add(attempt);
                tasks.addAll(attempt.tasks());
            });
        }
        return tasks;
    }

    /** If the store fails, releases the claimed sequences; they are replayed later. */
    private List<ReplayAttempt> start(int limit) {
        List<ParkedSequences.ReplayCandidate> candidates = new ArrayList<>();
        boolean started = false;
        try {
            claimCandidates(limit, candidates);
            List<ReplayAttempt> loaded = load(candidates);
            if (!loaded.isEmpty()) {
                requireUnchanged.run();
            }
            started = true;
            return loaded;
        } finally {
            if (!started) {
                candidates.forEach(this::release);
            }
        }
    }

    private void release(ParkedSequences.ReplayCandidate candidate) {
        SequenceId id = candidate.sequence().id();
        parked.finishReplay(id, candidate.probedBreaker(), false);
        replays.reschedule(id);
    }

    private void claimCandidates(int limit, List<ParkedSequences.ReplayCandidate> candidates) {
        int letters = 0;
        Optional<ParkedSequences.ReplayCandidate> candidate = letters < limit ? nextCandidate() : Optional.empty();
        while (candidate.isPresent()) {
            candidates.add(candidate.get());
            letters += Math.min(candidate.get().sequence().size(), CHUNK);
            candidate = letters < limit ? nextCandidate() : Optional.empty();
        }
    }

    /** Requested and due sequences alternate, because a bulk replay may take long. */
    private Optional<ParkedSequences.ReplayCandidate> nextCandidate() {
        requestedFirst = !requestedFirst;
        return requestedFirst
                ? replays.next(parked).or(this::nextDue)
                : nextDue().or(() -> replays.next(parked));
    }

    private Optional<ParkedSequences.ReplayCandidate> nextDue() {
        return parked.claimHeldTooLong(maxHold(), sequence -> context.handlers().recovers(sequence))
                .or(parked::claimDue);
    }

    private Duration maxHold() {
        return context.parking().policy().maxHold();
    }

    /** Loads the letters with one query per chunk size, and one more letter of each sequence. */
    private List<ReplayAttempt> load(List<ParkedSequences.ReplayCandidate> candidates) {
        Map<Integer, List<ParkedSequences.ReplayCandidate>> byChunk =
                candidates.stream().collect(Collectors.groupingBy(candidate -> chunk(component(candidate.sequence()))));
        List<ReplayAttempt> loaded = new ArrayList<>();
        byChunk.forEach((chunk, sameChunk) -> {
            Map<SequenceId, List<DeadLetter>> letters = context.stores()
                    .letters()
                    .findFirstLetters(
                            sameChunk.stream()
                                    .map(ParkedSequences.ReplayCandidate::sequence)
                                    .toList(),
                            chunk + 1);
            sameChunk.forEach(candidate -> loaded.add(
                    attempt(candidate, letters.getOrDefault(candidate.sequence().id(), List.of()), chunk)));
        });
        return loaded;
    }

    private BoundComponent component(ParkedSequence sequence) {
        return context.handlers().component(sequence.id().component());
    }

    /**
     * Returns how many letters are handled before the first one is committed. A breaker that is not closed admits only
     * a few calls until their outcomes are known, so it would reject all others. The result may change at any time.
     */
    private int chunk(BoundComponent component) {
        boolean isRecovering = component
                .component()
                .breaker()
                .filter(name -> !context.handlers().breakers().isClosed(name))
                .isPresent();
        return isRecovering || component.component().callsOutside() ? 1 : CHUNK;
    }

    private ReplayAttempt attempt(ParkedSequences.ReplayCandidate candidate, List<DeadLetter> read, int limit) {
        ParkedSequence sequence = candidate.sequence();
        BoundComponent component = component(sequence);
        List<DeadLetter> letters = read.isEmpty() ? findLettersBeyondGap(sequence) : read;
        int chunk = Math.min(limit, letters.size());
        List<HandlerTask> tasks = letters.subList(0, chunk).stream()
                .map(letter -> new HandlerTask(letter, component, sequence.hash(), refusal(candidate, letter)))
                .toList();
        DeadLetter next = chunk < letters.size() ? letters.get(chunk) : null;
        return new ReplayAttempt(
                sequence,
                tasks,
                next,
                candidate.probedBreaker(),
                replays.isRequested(sequence.id()),
                replays.action(sequence.id()));
    }

    /** Returns why the handler of a letter is not called; null if it is called. */
    private @Nullable Throwable refusal(ParkedSequences.ReplayCandidate candidate, DeadLetter letter) {
        Throwable unsupported = components.refusal(component(candidate.sequence()), letter);
        return unsupported == null && candidate.heldTooLong()
                ? new HeldTooLongException(candidate.sequence(), letter, maxHold())
                : unsupported;
    }

    /** Reads the first letters of a sequence across a large gap of removed ones. */
    private List<DeadLetter> findLettersBeyondGap(ParkedSequence sequence) {
        List<DeadLetter> letters = context.stores().letters().findLetters(sequence.id(), sequence.first(), CHUNK + 1);
        if (letters.isEmpty()) {
            throw new PermanentException("sequence " + sequence.id() + " is parked with " + sequence.size()
                    + " letters from number " + sequence.first() + " on, but the store has none");
        }
        return letters;
    }

    /** Ends all attempts without a result, because the segment is abandoned. */
    void abandon() {
        attempts.forEach(attempt -> parked.finishReplay(attempt.sequence().id(), attempt.probedBreaker(), false));
    }

    void refresh() {
        attempts.forEach(attempt -> attempt.tasks().forEach(HandlerTask::refreshState));
    }

    /** Adds the results of finished attempts, as far as they fit. */
    void addTo(UnitBuilder unit, int limit) {
        for (ReplayAttempt attempt : attempts) {
            if (unit.size() < limit && !attempt.isRunning() && attempt.hasResult()) {
                unit.add(attempt);
            }
        }
    }

    /**
     * Ends an attempt. Call it after the cached sequences were updated.
     *
     * @param outcomes what became of the letters of the unit
     */
    void committed(ReplayAttempt attempt, Map<PartId, LetterOutcome> outcomes) {
        attempts.remove(attempt);
        SequenceId id = attempt.sequence().id();
        HandlerTask failed = attempt.failed();
        parked.finishReplay(id, attempt.probedBreaker(), attempt.hasSucceeded());
        ParkedSequence left = parked.findCached(id);
        boolean staysParked = failed != null
                && left != null
                && left.first() == ReplayAttempt.letter(failed).number();
        List<LetterOutcome> letters = attempt.tasks().stream()
                .flatMap(task -> Optional.ofNullable(outcomes.get(task.partId())).stream())
                .toList();
        replays.attempted(id, letters, left == null, staysParked && attempt.requested());
    }

    /**
     * Reduces an attempt to the first half of its handled letters; the rest is attempted again later.
     *
     * @return whether the attempt had handled more than one letter
     */
    boolean halve(List<ReplayAttempt> rejected) {
        if (rejected.isEmpty() || rejected.get(0).handled() < 2) {
            return false;
        }
        ReplayAttempt whole = rejected.get(0);
        ReplayAttempt half = whole.first(whole.handled() / 2);
        whole.tasks().stream().skip(half.tasks().size()).forEach(task -> task.guarded()
                .release());
        attempts.set(attempts.indexOf(whole), half.tasks().get(0).writesApplicationRows() ? half.restarted() : half);
        return true;
    }

    /** Restarts all attempts that have been called and whose application rows were rolled back. */
    void restartRolledBack() {
        attempts.replaceAll(attempt ->
                attempt.tasks().get(0).writesApplicationRows() && !attempt.isWaiting() ? attempt.restarted() : attempt);
    }

    /** Restarts an attempt whose application rows were rolled back. */
    void restart(ReplayAttempt attempt) {
        attempts.set(attempts.indexOf(attempt), attempt.restarted());
    }
}
