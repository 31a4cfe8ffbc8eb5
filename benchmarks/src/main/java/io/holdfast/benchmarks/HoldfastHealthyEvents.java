package io.holdfast.benchmarks;

import io.holdfast.processing.ProcessorSettings;

/**
 * What the queue costs when healthy events are handled, none of which is of a parked sequence.
 *
 * @param statements that look at the queue, but for the one for each segment when it is claimed
 * @param all statements of the whole service in that time, commits not among them
 */
record HoldfastHealthyEvents(long events, long batches, long statements, long all) {

    static HoldfastHealthyEvents handle(HoldfastQueue queue, int cacheSize) {
        queue.deleteTokens();
        CountedCalls counted = new CountedCalls();
        ParkingService service = ParkingService.succeeding(counted.wrap(queue.dataSource()), cacheSize);
        try (service) {
            service.await("handling " + queue.events() + " events", () -> service.handled() >= queue.events());
        }
        long batches = service.committer().units(); // when all are committed
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
