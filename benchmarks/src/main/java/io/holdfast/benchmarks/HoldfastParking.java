package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.DeadLetterChange;
import java.util.concurrent.atomic.AtomicLong;

/** Handles the log with a handler that always fails, so that every event is parked in its own sequence. */
final class HoldfastParking {

    private final HoldfastQueue queue;
    private final int warmUp;
    private final AtomicLong parked = new AtomicLong();
    private volatile long warmAt;
    private volatile long doneAt;

    private HoldfastParking(HoldfastQueue queue, int warmUp) {
        this.queue = queue;
        this.warmUp = warmUp;
    }

    /** @param warmUp the number of events to park before the measurement, to exclude the start of the service */
    static Work park(HoldfastQueue queue, int warmUp) {
        return new HoldfastParking(queue, warmUp).run();
    }

    private Work run() {
        try (ParkingService service = ParkingService.failing(queue.dataSource(), this::onChange)) {
            service.await("parking " + queue.events() + " events", () -> parked.get() >= queue.events());
            long letters = service.queue().size();
            if (parked.get() != queue.events() || letters < parked.get()) {
                throw new PermanentException("expected " + queue.events() + " parked events, but " + parked.get()
                        + " were parked and the queue has " + letters + " letters");
            }
        }
        return new Work(queue.events() - warmUp, (doneAt - warmAt) / 1e9);
    }

    private void onChange(DeadLetterChange change) {
        if (change.kind() == DeadLetterChange.Kind.PARKED) {
            long now = parked.incrementAndGet();
            if (now == warmUp) {
                warmAt = System.nanoTime();
            } else if (now == queue.events()) {
                doneAt = System.nanoTime();
            }
        }
    }
}
