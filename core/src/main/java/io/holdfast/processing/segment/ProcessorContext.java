package io.holdfast.processing.segment;

import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.processing.metrics.ProcessorMetrics;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.token.ProcessorDefinition;
import io.holdfast.worker.MonotonicClock;
import io.holdfast.worker.MonotonicTime;
import java.time.Clock;
import java.time.Instant;

/**
 * Shared by all segments of a processor: who it is, how it runs handlers, how it parks, and where its state is stored.
 *
 * @param definition what this replica handles
 */
public record ProcessorContext(
        ProcessorIdentity identity,
        ProcessorDefinition definition,
        HandlerRuntime handlers,
        ParkingRuntime parking,
        ProcessorStores stores,
        ProcessorSettings settings,
        ProcessorMetrics metrics,
        Clock clock,
        Runnable wake) {

    public String service() {
        return identity.service();
    }

    public String processor() {
        return identity.processor();
    }

    public String replica() {
        return identity.replica();
    }

    /** Returns the wall clock's time, to be stored or shown. */
    public Instant now() {
        return clock.instant();
    }

    /** Returns the time by which intervals are measured. */
    public MonotonicTime time() {
        return MonotonicClock.of(clock).time();
    }

    /** Notifies listeners that a queue has no room for a sequence. */
    void notifyOverflow(SequenceId id) {
        String queue = handlers.component(id.component()).queueName();
        parking.notifier()
                .notifyListeners(new DeadLetterChange(DeadLetterChange.Kind.OVERFLOW, queue, id, 0, true, null));
    }
}
