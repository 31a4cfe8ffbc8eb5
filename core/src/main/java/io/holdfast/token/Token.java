package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * The progress and setup of one segment. Immutable.
 *
 * @param version increased by every advance, and by every change that must invalidate a concurrent commit; a commit
 *     names the version that it advances from. The increase is random: a version that a failover has lost is not used
 *     again, so an equal version proves that the token is the one that was read or written
 * @param positions the position reached per stream. Events at or below it have been processed and are skipped if
 *     redelivered
 * @param marks the events above the positions that have already been completed
 */
public record Token(
        Segment segment, long version, Map<String, StreamPosition> positions, Set<Mark> marks, SegmentSetup setup) {

    /** Leaves room for 2^39 changes, and makes it improbable that two histories of a token meet in one version. */
    private static final long MAX_INCREASE = 1 << 24;

    public Token {
        positions = Map.copyOf(positions);
        marks = Set.copyOf(marks);
    }

    /** Creates the token of a segment that starts at these positions. */
    public static Token starting(Segment segment, int mask, Map<String, StreamPosition> start) {
        return new Token(segment, 0, start, Set.of(), SegmentSetup.ofMask(mask).startedAt(start));
    }

    /** Creates an advance from this token, to a version that no other advance gets. */
    public TokenAdvance advance(TokenClaim claim, Map<String, StreamPosition> reached, Set<Mark> newMarks) {
        return new TokenAdvance(claim, version, versionAfter(version), reached, newMarks);
    }

    private static long versionAfter(long version) {
        return version + 1 + ThreadLocalRandom.current().nextLong(MAX_INCREASE);
    }

    /** Returns this token at the advance's version. Streams that the advance does not name keep their positions. */
    public Token advanced(TokenAdvance advance) {
        Map<String, StreamPosition> reached = new HashMap<>(positions);
        reached.putAll(advance.positions());
        return new Token(segment, advance.toVersion(), reached, advance.marks(), setup);
    }

    /** Returns this token with a stream added, unless it already has the stream. */
    public Token with(String stream, StreamPosition start) {
        return withMissing(Map.of(stream, start));
    }

    /** Returns this token with those of the streams added that it lacks. */
    public Token withMissing(Map<String, StreamPosition> start) {
        Map<String, StreamPosition> missing = new HashMap<>(start);
        missing.keySet().removeAll(positions.keySet());
        if (missing.isEmpty()) {
            return this;
        }
        Map<String, StreamPosition> more = new HashMap<>(positions);
        more.putAll(missing);
        return new Token(segment, version, more, marks, setup.startedAt(missing));
    }

    /** Returns this token paused or resumed. The version does not change, so a running batch can still commit. */
    public Token paused(boolean paused) {
        return new Token(segment, version, positions, marks, setup.withPaused(paused));
    }

    public Token withSetup(SegmentSetup newSetup) {
        return new Token(segment, versionAfter(version), positions, marks, newSetup);
    }

    /** Returns this token with exactly these components. New ones start at its positions. */
    public Token withComponents(Set<String> components) {
        return withSetup(setup.withComponents(components, positions));
    }

    /** Returns the half that keeps the segment's number when the segment is split. */
    public Token narrowed() {
        return withSetup(setup.withMask(Segments.splitMask(setup.mask())));
    }

    /**
     * Returns the half that becomes a new segment when the segment is split. Its version is higher than any that an
     * earlier segment with the same number had before it was merged, so a late unit of that segment is rejected.
     */
    public Token splitOff() {
        Segment other = new Segment(segment.consumer(), Segments.splitOff(segment.number(), setup.mask()));
        return new Token(
                other, versionAfter(version), positions, marks, setup.withMask(Segments.splitMask(setup.mask())));
    }

    /**
     * @return whether the two segments are siblings without marks, at the same positions, with setups that differ at
     *     most in where their components started
     */
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

    /** Returns both segments merged under this segment's number. The version is higher than both. */
    public Token mergedWith(Token other) {
        return new Token(
                segment,
                versionAfter(Math.max(version, other.version())),
                positions,
                Set.of(),
                setup.withMask(setup.mask() >>> 1).withComponents(setup.laterStarts(other.setup())));
    }

    /** Returns this token at the start of a new generation, without marks. */
    public Token reset(Map<String, StreamPosition> start) {
        return new Token(segment, versionAfter(version), start, Set.of(), setup.nextGeneration(start));
    }

    /**
     * Returns this token moved back to the position from which a restored source continues, without the marks above it,
     * whose events are lost too. The token is unchanged unless its position is one of the lost ones.
     */
    public Token afterRestore(String stream, Map<StreamPosition, StreamPosition> lost) {
        StreamPosition reached = positions.get(stream);
        StreamPosition continuesFrom = reached == null ? null : lost.get(reached);
        if (continuesFrom == null) {
            return this;
        }
        Set<Mark> remaining = marks.stream()
                .filter(mark -> !mark.stream().equals(stream) || mark.position() <= continuesFrom.position())
                .collect(Collectors.toUnmodifiableSet());
        Map<String, StreamPosition> lowered = new HashMap<>(positions);
        lowered.put(stream, continuesFrom);
        return new Token(segment, versionAfter(version), lowered, remaining, setup);
    }
}
