package io.holdfast.token;

import io.holdfast.event.StreamPosition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Setup of a segment: everything in its token except the progress.
 *
 * @param mask selects, with the segment's number, its sequences: those whose masked hash equals the number
 * @param generation starts at 1; every reset increases it
 * @param policy the name and version of the sequencing policy that assigns events to segments; empty until a processor
 *     sets it
 * @param components the components that receive every event of the segment, by stable id, each with the positions after
 *     which it started
 * @param starts where each generation started, by stream. An earlier release did not store them
 * @param paused whether the segment is paused
 */
public record SegmentSetup(
        int mask,
        int generation,
        String policy,
        Map<String, Map<String, StreamPosition>> components,
        Map<Integer, Map<String, StreamPosition>> starts,
        boolean paused) {

    /** Setup of a single segment that covers every hash; no processor has set it up yet. */
    public static final SegmentSetup WHOLE = ofMask(0);

    public SegmentSetup {
        components = Map.copyOf(components);
        starts = Map.copyOf(starts);
    }

    /** Creates the setup of a segment that no processor has set up yet. */
    public static SegmentSetup ofMask(int mask) {
        return new SegmentSetup(mask, 1, "", Map.of(), Map.of(), false);
    }

    public SegmentSetup withMask(int newMask) {
        return new SegmentSetup(newMask, generation, policy, components, starts, paused);
    }

    public SegmentSetup withPolicy(String newPolicy) {
        return new SegmentSetup(mask, generation, newPolicy, components, starts, paused);
    }

    public SegmentSetup withComponents(Map<String, Map<String, StreamPosition>> newComponents) {
        return new SegmentSetup(mask, generation, policy, newComponents, starts, paused);
    }

    /** Returns this setup with exactly these components. New ones start at the given positions. */
    public SegmentSetup withComponents(Set<String> ids, Map<String, StreamPosition> start) {
        Map<String, Map<String, StreamPosition>> all = new HashMap<>();
        ids.forEach(id -> all.put(id, components.getOrDefault(id, start)));
        return withComponents(all);
    }

    public SegmentSetup withPaused(boolean newPaused) {
        return new SegmentSetup(mask, generation, policy, components, starts, newPaused);
    }

    /** Returns this setup with the start of the current generation in more streams. */
    public SegmentSetup startedAt(Map<String, StreamPosition> start) {
        if (start.isEmpty()) {
            return this;
        }
        Map<String, StreamPosition> all = new HashMap<>(start);
        all.putAll(starts.getOrDefault(generation, Map.of()));
        Map<Integer, Map<String, StreamPosition>> byGeneration = new HashMap<>(starts);
        byGeneration.put(generation, Map.copyOf(all));
        return new SegmentSetup(mask, generation, policy, components, byGeneration, paused);
    }

    /** Returns where a generation started to read the stream, if that is known. */
    public Optional<StreamPosition> findStart(int ofGeneration, String stream) {
        return Optional.ofNullable(starts.getOrDefault(ofGeneration, Map.of()).get(stream));
    }

    /** @return whether the setups are equal except for start positions */
    boolean equalsIgnoringStarts(SegmentSetup other) {
        return components.keySet().equals(other.components().keySet())
                && withoutStarts().equals(other.withoutStarts());
    }

    private SegmentSetup withoutStarts() {
        return new SegmentSetup(mask, generation, policy, Map.of(), Map.of(), paused);
    }

    /**
     * Returns the components of two merged segments, each with the later of its two starts: only from there on has it
     * seen the events of both.
     */
    Map<String, Map<String, StreamPosition>> laterStarts(SegmentSetup other) {
        Map<String, Map<String, StreamPosition>> later = new HashMap<>();
        components.forEach((component, starts) -> {
            Map<String, StreamPosition> positions =
                    new HashMap<>(other.components().getOrDefault(component, Map.of()));
            starts.forEach((stream, position) ->
                    positions.merge(stream, position, (one, two) -> one.position() >= two.position() ? one : two));
            later.put(component, positions);
        });
        return later;
    }

    /** Returns the setup after a reset: every component starts where the segment does. */
    public SegmentSetup nextGeneration(Map<String, StreamPosition> start) {
        Map<String, Map<String, StreamPosition>> fromStart = new HashMap<>();
        components.keySet().forEach(component -> fromStart.put(component, Map.copyOf(start)));
        return new SegmentSetup(mask, generation + 1, policy, fromStart, starts, paused).startedAt(start);
    }
}
