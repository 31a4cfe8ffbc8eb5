package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.util.HashMap;
import java.util.Map;

/**
 * What a segment is, beside how far it has come.
 *
 * @param mask together with the segment's number, its share: the sequences whose hash, masked, is the number
 * @param generation 1, and one more with every reset
 * @param policy which sequencing policy its events are shared out by, and the version of that; empty until a processor
 *     has said so
 * @param components those that every event of the segment is handed to, by stable id, each with the positions behind
 *     which it began
 * @param paused whether nobody is to work on it
 */
public record SegmentSetup(
        int mask, int generation, String policy, Map<String, Map<String, StreamPosition>> components, boolean paused) {

    /** Everything, of no processor yet. */
    public static final SegmentSetup WHOLE = ofMask(0);

    public SegmentSetup {
        components = Map.copyOf(components);
    }

    /** A share, of no processor yet. */
    public static SegmentSetup ofMask(int mask) {
        return new SegmentSetup(mask, 1, "", Map.of(), false);
    }

    public SegmentSetup withMask(int newMask) {
        return new SegmentSetup(newMask, generation, policy, components, paused);
    }

    public SegmentSetup withPolicy(String newPolicy) {
        return new SegmentSetup(mask, generation, newPolicy, components, paused);
    }

    public SegmentSetup withComponents(Map<String, Map<String, StreamPosition>> newComponents) {
        return new SegmentSetup(mask, generation, policy, newComponents, paused);
    }

    public SegmentSetup withPaused(boolean nowPaused) {
        return new SegmentSetup(mask, generation, policy, components, nowPaused);
    }

    /** Whether the two are the same but for where their components began. */
    boolean equalsIgnoringStarts(SegmentSetup other) {
        return components.keySet().equals(other.components().keySet())
                && withComponents(Map.of()).equals(other.withComponents(Map.of()));
    }

    /** The components of two shares that become one: each has seen all of both from where it began later. */
    Map<String, Map<String, StreamPosition>> laterStarts(SegmentSetup other) {
        Map<String, Map<String, StreamPosition>> later = new HashMap<>();
        components.forEach((component, begun) -> {
            Map<String, StreamPosition> positions =
                    new HashMap<>(other.components().getOrDefault(component, Map.of()));
            begun.forEach((stream, position) ->
                    positions.merge(stream, position, (one, two) -> one.position() >= two.position() ? one : two));
            later.put(component, positions);
        });
        return later;
    }

    /** As after a reset: every component begins where the segment does. */
    public SegmentSetup nextGeneration(Map<String, StreamPosition> start) {
        Map<String, Map<String, StreamPosition>> begun = new HashMap<>();
        components.keySet().forEach(component -> begun.put(component, Map.copyOf(start)));
        return new SegmentSetup(mask, generation + 1, policy, begun, paused);
    }
}
