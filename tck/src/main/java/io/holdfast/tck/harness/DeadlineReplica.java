package io.holdfast.tck.harness;

import io.holdfast.deadline.firing.DeadlineFiring;
import io.holdfast.event.PayloadCodec;
import io.holdfast.service.Store;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** A replica that fires deadlines, without threads. Dropping it simulates a crash. */
public final class DeadlineReplica {

    private final EngineUnderTest engine;
    private final Clock clock;
    private final DeadlineFiring firing;

    public DeadlineReplica(Store store, EngineUnderTest engine, Clock clock) {
        this.engine = engine;
        this.clock = clock;
        this.firing = new DeadlineFiring(
                StoreHarness.SERVICE, store.viewStore(), engine.committer(), new PayloadCodec(), () -> {});
    }

    public EngineUnderTest engine() {
        return engine;
    }

    /** Reads the due rows and submits what is to be done, but does not commit it. */
    public Optional<Instant> submitDue() {
        return firing.run(clock.instant());
    }

    /** Fires all due deadlines, batch by batch, as the timekeeper does. */
    public Optional<Instant> fire() {
        Optional<Instant> next;
        do {
            next = submitDue();
        } while (engine.committer().commitWaiting() > 0 || next.equals(Optional.of(clock.instant())));
        return next;
    }
}
