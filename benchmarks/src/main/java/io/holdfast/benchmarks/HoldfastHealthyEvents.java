package io.holdfast.benchmarks;

import io.holdfast.processing.settings.ProcessorSettings;

/**
 * The queue's cost for healthy events, none of which belongs to a parked sequence.
 *
 * @param statements the statements on the queue's tables, except the one per segment when it is claimed
 * @param all the statements of the whole service in the same time, without commits
 */
record HoldfastHealthyEvents(long events, long batches, long statements, long all) {

    static HoldfastHealthyEvents handle(HoldfastQueue queue, int cacheSize) {
        queue.deleteTokens();
        CountedCalls counted = new CountedCalls();
        ParkingService service = ParkingService.succeeding(counted.wrap(queue.dataSource()), cacheSize);
        try (service) {
            service.await("handling " + queue.events() + " events", () -> service.handled() >= queue.events());
        }
        long batches = service.committer().units(); // read after close, when all units are committed
        long statements = count(counted, "holdfast_sequence") + count(counted, "holdfast_letter");
        return new HoldfastHealthyEvents(
                queue.events(), batches, statements - ProcessorSettings.DEFAULT_SEGMENTS, count(counted, "holdfast_"));
    }

    private static long count(CountedCalls counted, String table) {
        return counted.calls().entrySet().stream()
                .filter(call -> call.getKey().contains(table))
                .mapToLong(call -> call.getValue().count())
                .sum();
    }

    double perEvent() {
        return (double) statements / events;
    }

    double perBatch() {
        return (double) statements / batches;
    }
}
