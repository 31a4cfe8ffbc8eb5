package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How far one segment of a consumer has come.
 *
 * @param segment the segment
 * @param version how often it was advanced or changed; a commit names the version that it advances from
 * @param positions by stream: everything at or below has been dealt with, for ever
 * @param marks what has been dealt with above that
 * @param setup what the segment is
 */
public record Token(
        Segment segment, long version, Map<String, StreamPosition> positions, Set<Mark> marks, SegmentSetup setup) {

    public Token {
        positions = Map.copyOf(positions);
        marks = Set.copyOf(marks);
    }

    /** Of a consumer that has only one segment. */
    public Token(Segment segment, long version, Map<String, StreamPosition> positions) {
        this(segment, version, positions, Set.of(), SegmentSetup.WHOLE);
    }

    /** The same token, with a stream that it lacked. */
    public Token with(String stream, StreamPosition start) {
        Map<String, StreamPosition> more = new HashMap<>(positions);
        more.putIfAbsent(stream, start);
        return new Token(segment, version, more, marks, setup);
    }

    /** The same, worked on or not. That is nobody's advance: what runs may end. */
    public Token paused(boolean paused) {
        return new Token(segment, version, positions, marks, setup.withPaused(paused));
    }

    public Token withSetup(SegmentSetup newSetup) {
        return new Token(segment, version + 1, positions, marks, newSetup);
    }

    /** What stays with the segment when its share is split in two. */
    public Token narrowed() {
        return withSetup(setup.withMask(Segments.splitMask(setup.mask())));
    }

    /**
     * What is split off. Its version is above any that a segment of that number had before it was merged: a unit of that
     * time cannot be taken for one of this.
     */
    public Token splitOff() {
        Segment other = new Segment(segment.consumer(), Segments.splitOff(segment.number(), setup.mask()));
        return new Token(other, version + 1, positions, marks, setup.withMask(Segments.splitMask(setup.mask())));
    }

    /** Whether the two are halves of one share and the same in all else but where their components began. */
    public boolean isMergeableWith(Token other) {
        return !segment.equals(other.segment())
                && segment.consumer().equals(other.segment().consumer())
                && Segments.sibling(segment.number(), setup.mask())
                        == other.segment().number()
                && marks.isEmpty()
                && other.marks().isEmpty()
                && setup.equalsIgnoringStarts(other.setup())
                && positions.equals(other.positions());
    }

    /** Both shares in one, under this segment's number. The version is above that of both. */
    public Token mergedWith(Token other) {
        return new Token(
                segment,
                Math.max(version, other.version()) + 1,
                positions,
                Set.of(),
                setup.withMask(setup.mask() >>> 1).withComponents(setup.laterStarts(other.setup())));
    }

    /** As a new generation begins. */
    public Token reset(Map<String, StreamPosition> start) {
        return new Token(segment, version + 1, start, Set.of(), setup.nextGeneration(start));
    }

    /**
     * No further than where a restored source goes on from; the same if it has not read further, or reads in the source's
     * new epoch already. Marks count as read: the source will put another event at their position.
     */
    public Token afterRestore(String stream, StreamPosition goesOnFrom) {
        StreamPosition reached = positions.get(stream);
        if (reached == null || reached.log().epoch() >= goesOnFrom.log().epoch()) {
            return this;
        }
        boolean isAbove = reached.position() > goesOnFrom.position();
        Set<Mark> kept = marks.stream()
                .filter(mark -> !mark.stream().equals(stream) || mark.position() <= goesOnFrom.position())
                .collect(Collectors.toUnmodifiableSet());
        if (!isAbove && kept.size() == marks.size()) {
            return this;
        }
        Map<String, StreamPosition> lowered = new HashMap<>(positions);
        if (isAbove) {
            lowered.put(stream, goesOnFrom);
        }
        return new Token(segment, version + 1, lowered, kept, setup);
    }
}
