package io.holdfast.processing;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parked sequences of a segment that are being tried again. For one thread at a time. */
final class SegmentDrains {

    /** How many letters of a sequence are handled and committed together at most. */
    private static final int CHUNK = 100;

    private final ProcessorContext context;
    private final ParkedSequences parked;
    private final List<Drain> drains = new ArrayList<>();

    SegmentDrains(ProcessorContext context, ParkedSequences parked) {
        this.context = context;
        this.parked = parked;
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
     * What is to be handled now: what has to be handled again, and letters of sequences that are due.
     *
     * @param begin whether more may be begun; what was begun is brought to an end in any case
     */
    List<HandlerTask> startable(boolean begin) {
        List<HandlerTask> tasks = new ArrayList<>();
        drains.stream().filter(Drain::isWaiting).forEach(drain -> tasks.addAll(drain.tasks()));
        Optional<ParkedSequence> due = begin ? parked.takeDue(context.now()) : Optional.empty();
        while (due.isPresent()) {
            Drain drain = new Drain(due.get(), load(due.get()));
            drains.add(drain);
            tasks.addAll(drain.tasks());
            due = tasks.size() < context.settings().batch() ? parked.takeDue(context.now()) : Optional.empty();
        }
        return tasks;
    }

    private List<HandlerTask> load(ParkedSequence sequence) {
        boolean loaded = false;
        try {
            BoundComponent component =
                    context.component(sequence.id().component()).orElseThrow();
            int chunk = component.component().callsOutside() ? 1 : CHUNK;
            List<DeadLetter> letters = context.stores().letters().findLetters(sequence.id(), sequence.head(), chunk);
            if (letters.isEmpty()) {
                throw new PermanentException("sequence " + sequence.id() + " is parked with " + sequence.size()
                        + " letters from number " + sequence.head() + " on, but the store has none");
            }
            loaded = true;
            return letters.stream()
                    .map(letter -> new HandlerTask(letter, component, sequence.hash()))
                    .toList();
        } finally {
            if (!loaded) {
                parked.drained(sequence.id(), sequence.heldBy(), false);
            }
        }
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

    void committed(Drain drain) {
        drains.remove(drain);
        boolean failed = drain.tasks().stream().anyMatch(task -> task.state() == HandlerTask.State.FAILED);
        parked.drained(drain.sequence().id(), drain.sequence().heldBy(), !failed);
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
        Drain half = new Drain(whole.sequence(), whole.tasks().subList(0, whole.handled() / 2));
        drains.set(drains.indexOf(whole), half.tasks().get(0).hasRows() ? half.again() : half);
        return true;
    }

    /** What was written for it is gone, and has to be written again. */
    void undo(Drain drain) {
        drains.set(drains.indexOf(drain), drain.again());
    }
}
