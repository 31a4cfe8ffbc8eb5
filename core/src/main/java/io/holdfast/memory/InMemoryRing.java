package io.holdfast.memory;

import io.holdfast.event.EventMessage;
import java.util.ArrayList;
import java.util.List;

/** A ringbuffer of a stream's newest records, numbered from 0. A read outside its range is silently clamped. */
final class InMemoryRing {

    private final EventMessage[] slots;
    private long oldest;
    private long end;

    InMemoryRing(int capacity) {
        this.slots = new EventMessage[capacity];
    }

    synchronized void add(EventMessage event) {
        slots[slot(end)] = event;
        end++;
        oldest = Math.max(oldest, end - slots.length);
    }

    synchronized Records read(long from, int limit) {
        long start = Math.min(Math.max(from, oldest), end);
        long stop = Math.min(start + limit, end);
        List<EventMessage> events = new ArrayList<>();
        for (long number = start; number < stop; number++) {
            events.add(slots[slot(number)]);
        }
        return new Records(events, stop);
    }

    synchronized void clear() {
        oldest = 0;
        end = 0;
    }

    synchronized void loseTail(int records) {
        end = Math.max(oldest, end - records);
    }

    private int slot(long number) {
        return (int) (number % slots.length);
    }

    /** @param next the number from which to continue */
    record Records(List<EventMessage> events, long next) {}
}
