package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Processes what is parked again, with a handler that succeeds.
 *
 * @param startupSeconds how long the service took until it had claimed all segments and knew what is parked, in seconds
 * @param calls how long each call of {@code processAny} took, in milliseconds
 * @param oneByOne {@code processAny} in a loop
 * @param all {@code processAll}, of what the loop has left
 */
record HoldfastReplay(double startupSeconds, List<Double> calls, Work oneByOne, Work all) {

    /** One of this many sequences at most, so that there is something left for {@code processAll}. */
    private static final int LOOP_DIVISOR = 5;

    /** So many calls at least, however long they take, if there are enough sequences. */
    private static final int MIN_CALLS = DeadLetterFigures.PICKS;

    /**
     * @param sequences how many are parked
     * @param nanoseconds how long each of the two may take
     */
    static HoldfastReplay replay(HoldfastQueue queue, int sequences, long nanoseconds) {
        try (ParkingService service = ParkingService.succeeding(queue.dataSource(), QueueSettings.DEFAULT_CACHE_SIZE)) {
            double started = service.awaitClaimed(sequences);
            List<Double> calls = new ArrayList<>();
            Work oneByOne = measureAndVerify(
                    service, () -> loop(service, Math.max(1, sequences / LOOP_DIVISOR), nanoseconds, calls));
            Work all = measureAndVerify(service, () -> processAll(service, nanoseconds));
            return new HoldfastReplay(started, calls, oneByOne, all);
        }
    }

    /** Letters, not sequences, are counted. */
    private static Work measureAndVerify(ParkingService service, TimedAction measured) {
        long before = service.queue().size();
        long handledBefore = service.handled();
        double seconds = measured.run();
        long handled = service.handled() - handledBefore;
        long evicted = before - service.queue().size();
        if (handled != evicted) {
            throw new PermanentException("Holdfast handled " + handled + " letters again but evicted " + evicted);
        }
        return new Work(handled, seconds);
    }

    private static double loop(ParkingService service, int most, long nanoseconds, List<Double> calls) {
        long start = System.nanoTime();
        long last = start;
        while (calls.size() < most && (last - start < nanoseconds || calls.size() < MIN_CALLS)) {
            if (!service.processor().processAny().join()) {
                throw new PermanentException("processAny drained nothing, after " + calls.size() + " calls");
            }
            long now = System.nanoTime();
            calls.add((now - last) / 1e6);
            last = now;
        }
        return (last - start) / 1e9;
    }

    private static double processAll(ParkingService service, long nanoseconds) {
        long start = System.nanoTime();
        BulkReplay replay = service.processor().processAll(BulkReplaySettings.UNLIMITED);
        BulkProgress progress = result(replay, nanoseconds);
        double seconds = (System.nanoTime() - start) / 1e9;
        if (progress.failed() > 0 || progress.drained() != progress.started()) {
            throw new PermanentException("processAll did not drain all that it began: " + progress);
        }
        return seconds;
    }

    private static BulkProgress result(BulkReplay replay, long nanoseconds) {
        try {
            return replay.result().get(nanoseconds, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            replay.stop();
            return replay.result().join();
        } catch (ExecutionException | InterruptedException | CompletionException e) {
            throw Failures.of("processing all that is parked", e);
        }
    }

    /** Does something and says how long it took. */
    private interface TimedAction {

        double run();
    }
}
