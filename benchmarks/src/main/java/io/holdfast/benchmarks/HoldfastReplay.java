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
 * Replays letters, with a handler that succeeds.
 *
 * @param startupSeconds the seconds until the service has claimed all segments and loaded their parked sequences
 * @param calls the duration of each {@code processAny} call in milliseconds
 * @param oneByOne the result of {@code processAny} in a loop
 * @param all the result of {@code processAll} for the letters that remain after the loop
 */
record HoldfastReplay(double startupSeconds, List<Double> calls, Work oneByOne, Work all) {

    /** The loop replays at most one in this many sequences and leaves the rest for {@code processAll}. */
    private static final int LOOP_DIVISOR = 5;

    /** Minimum number of calls, however long they take, if there are enough sequences. */
    private static final int MIN_CALLS = DeadLetterFigures.PICKS;

    /**
     * @param sequences the number of parked sequences
     * @param nanoseconds the maximum duration of each of the two measurements
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

    /** Counts letters, not sequences. */
    private static Work measureAndVerify(ParkingService service, TimedAction measured) {
        long before = service.queue().size();
        long handledBefore = service.handled();
        double seconds = measured.run();
        long handled = service.handled() - handledBefore;
        long evicted = before - service.queue().size();
        if (handled != evicted) {
            throw new PermanentException("Holdfast replayed " + handled + " letters but evicted " + evicted);
        }
        return new Work(handled, seconds);
    }

    private static double loop(ParkingService service, int most, long nanoseconds, List<Double> calls) {
        long start = System.nanoTime();
        long last = start;
        while (calls.size() < most && (last - start < nanoseconds || calls.size() < MIN_CALLS)) {
            if (!service.processor().processAny().join()) {
                throw new PermanentException("processAny replayed nothing after " + calls.size() + " calls");
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
            throw new PermanentException("processAll did not replay every sequence that it started: " + progress);
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
            throw Failures.of("replaying all letters", e);
        }
    }

    /** Runs an action and returns its duration. */
    private interface TimedAction {

        double run();
    }
}
