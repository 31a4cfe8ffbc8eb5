package io.holdfast.token;

import io.holdfast.event.Names;

/**
 * Identifies a segment: one hash partition of a consumer's sequences.
 *
 * @param consumer the name of the processor or publisher
 * @param number the segment's number: 0, 1, 2, …
 */
public record Segment(String consumer, int number) implements Comparable<Segment> {

    public Segment {
        Names.require("name of consumer", consumer);
        if (number < 0) {
            throw new IllegalArgumentException("segment of " + consumer + " must be 0 or more, but is " + number);
        }
    }

    @Override
    public int compareTo(Segment other) {
        int byConsumer = consumer.compareTo(other.consumer);
        return byConsumer != 0 ? byConsumer : Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        return consumer + "[" + number + "]";
    }
}
