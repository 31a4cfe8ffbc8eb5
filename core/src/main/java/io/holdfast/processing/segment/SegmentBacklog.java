package io.holdfast.processing.segment;

import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamPosition;
import io.holdfast.parking.BoundComponent;
import io.holdfast.processing.stream.SequencedEvent;
import io.holdfast.token.Mark;
import io.holdfast.token.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The events that a segment has read and not completed, in reading order, and the positions and marks that can be
 * stored. Not thread-safe; used by one thread at a time.
 */
final class SegmentBacklog {

    private final SegmentComponents components;
    private final int number;
    private final int mask;
    private final Set<Mark> storedMarks;
    private final Map<String, StreamPosition> readPositions = new LinkedHashMap<>();
    private final List<BacklogEvent> events = new ArrayList<>();
    private int skipped;

    SegmentBacklog(SegmentComponents components, Token token) {
        this.components = components;
        this.number = token.segment().number();
        this.mask = token.setup().mask();
        this.storedMarks = new HashSet<>(token.marks());
        readPositions.putAll(token.positions());
    }

    /** Adds a stream that the processor reads from now on. */
    void addStream(String stream, StreamPosition start) {
        readPositions.putIfAbsent(stream, start);
    }

    /** Returns how far each stream was read. */
    Map<String, StreamPosition> readPositions() {
        return readPositions;
    }

    /**
     * Returns whether events of the stream are marked that were not read since the segment was opened. They identify
     * the history that was read before: with events of another one, the position would pass the marks and drop them.
     */
    boolean hasUnreadMarks(String stream) {
        return storedMarks.stream()
                .anyMatch(mark -> mark.stream().equals(stream) && isAbove(mark, readPositions.get(stream)));
    }

    private static boolean isAbove(Mark mark, @Nullable StreamPosition reached) {
        return reached == null || mark.position() > reached.position();
    }

    int size() {
        return events.size();
    }

    /** Returns the number of events that are not committed. */
    int openEvents() {
        int open = 0;
        for (BacklogEvent entry : events) {
            open += entry.isDone(Set.of()) ? 0 : 1;
        }
        return open;
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** Returns the number of events skipped since a position was last stored. */
    int skipped() {
        return skipped;
    }

    /** Adds the next event of a stream, also if it belongs to another segment. */
    void add(SequencedEvent event) {
        String stream = event.event().stream();
        StreamPosition before = readPositions.put(stream, event.event().streamPosition());
        List<HandlerTask> tasks = event.belongsTo(number, mask) ? tasks(event) : List.of();
        if (tasks.isEmpty() || before == null) {
            skipped++;
        } else {
            events.add(new BacklogEvent(stream, before, tasks));
        }
        LogIdentity log = event.event().logPosition().log();
        if (before != null && !before.log().equals(log)) { // also if the event itself is skipped
            events.replaceAll(entry -> entry.stream().equals(stream) ? entry.in(log) : entry);
        }
    }

    private List<HandlerTask> tasks(SequencedEvent event) {
        List<HandlerTask> tasks = new ArrayList<>();
        for (BoundComponent component : components.all()) {
            boolean isDone = !storedMarks.isEmpty() && storedMarks.contains(mark(event.event(), component));
            if (!isDone) {
                components.task(component, event).ifPresent(tasks::add);
            }
        }
        return tasks;
    }

    private static Mark mark(EventMessage event, BoundComponent component) {
        return new Mark(event.stream(), event.position(), event.id(), component.id());
    }

    /** Returns the sequences of all tasks that are not committed. */
    Set<SequenceId> openSequences() {
        Set<SequenceId> sequences = new HashSet<>();
        openTasks().forEach(task -> sequences.add(task.sequence()));
        return sequences;
    }

    /** Drops everything that was read and not stored; it is read again. */
    void startOver(Token token) {
        events.clear();
        readPositions.clear();
        readPositions.putAll(token.positions());
        storedMarks.clear();
        storedMarks.addAll(token.marks());
        skipped = 0;
    }

    /** Returns all tasks that are not committed, in order. */
    List<HandlerTask> openTasks() {
        List<HandlerTask> open = new ArrayList<>();
        for (BacklogEvent entry : events) {
            for (HandlerTask task : entry.tasks()) {
                if (!task.isCommitted()) {
                    open.add(task);
                }
            }
        }
        return open;
    }

    /**
     * Returns the tasks whose handlers can be called now, in order. Tasks behind a parked or failed event become BEHIND
     * instead.
     */
    List<HandlerTask> startable(Predicate<SequenceId> isParked) {
        List<HandlerTask> startable = new ArrayList<>();
        Set<SequenceId> waits = new HashSet<>();
        Set<SequenceId> failed = new HashSet<>();
        for (HandlerTask task : openTasks()) {
            SequenceId sequence = task.sequence();
            boolean callsOutside = task.component().component().callsOutside();
            switch (task.state()) {
                case WAITING -> {
                    boolean isBehind = failed.contains(sequence) || isParked.test(sequence);
                    boolean isNext = !waits.contains(sequence); // otherwise it would be parked before a running one
                    if (isNext && isBehind) {
                        task.moveTo(HandlerTask.State.BEHIND);
                    } else if (isNext) {
                        startable.add(task);
                        if (callsOutside) {
                            waits.add(sequence);
                        }
                    }
                }
                case RUNNING -> waits.add(sequence);
                case HANDLED -> {
                    if (callsOutside) {
                        waits.add(sequence);
                    }
                }
                case FAILED, BEHIND -> failed.add(sequence);
                case COMMITTED -> {}
            }
        }
        return startable;
    }

    /** Returns the position in each stream up to which everything is processed, once these tasks are committed. */
    Map<String, StreamPosition> positions(Set<HandlerTask> committing) {
        Map<String, StreamPosition> reached = new HashMap<>(readPositions);
        Set<String> stopped = new HashSet<>();
        for (BacklogEvent entry : events) {
            if (stopped.size() == readPositions.size()) {
                break; // later events are above the positions in any case
            }
            if (!entry.isDone(committing) && stopped.add(entry.stream())) {
                reached.put(entry.stream(), entry.before());
            }
        }
        return reached;
    }

    /** Returns the marks of what is processed above the positions, once these tasks are committed. */
    Set<Mark> marks(Set<HandlerTask> committing) {
        Set<Mark> marks = new HashSet<>();
        Map<String, StreamPosition> positions = positions(committing);
        for (BacklogEvent entry : events) {
            StreamPosition reached = positions.get(entry.stream());
            for (HandlerTask task : entry.tasks()) {
                boolean isAbove = reached != null && task.event().position() > reached.position();
                if (isAbove && (task.isCommitted() || committing.contains(task))) {
                    marks.add(mark(task.event(), task.component()));
                }
            }
        }
        for (Mark mark : storedMarks) {
            StreamPosition reached = positions.get(mark.stream());
            if (reached != null && mark.position() > reached.position()) {
                marks.add(mark);
            }
        }
        return marks;
    }

    /** Drops the events and marks that these stored positions cover. */
    void stored(Map<String, StreamPosition> positions) {
        events.removeIf(entry -> {
            StreamPosition reached = positions.get(entry.stream());
            return reached != null
                    && entry.tasks().get(0).event().position() <= reached.position()
                    && entry.isDone(Set.of());
        });
        storedMarks.removeIf(mark -> {
            StreamPosition reached = positions.get(mark.stream());
            return reached != null && mark.position() <= reached.position();
        });
        skipped = 0;
    }

    /**
     * @param before the position up to which the stream had been read
     * @param tasks at least one task
     */
    private record BacklogEvent(String stream, StreamPosition before, List<HandlerTask> tasks) {

        /**
         * An event of a later epoch follows all positions below it in that epoch too. Marks above a position may belong
         * to that epoch, so the position must as well: otherwise the next owner would accept lost events of the former
         * epoch, and drop the marks with them.
         */
        BacklogEvent in(LogIdentity log) {
            return new BacklogEvent(stream, new StreamPosition(log, before.position(), before.id()), tasks);
        }

        boolean isDone(Set<HandlerTask> committing) {
            for (HandlerTask task : tasks) {
                if (!task.isCommitted() && !committing.contains(task)) {
                    return false;
                }
            }
            return true;
        }
    }
}
