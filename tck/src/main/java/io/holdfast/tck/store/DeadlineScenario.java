package io.holdfast.tck.store;

import io.holdfast.aggregate.Decision;
import io.holdfast.event.EventMessage;
import io.holdfast.tck.harness.DeadlineReplica;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.Noted;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Base of the kits for deadlines: one replica that schedules and fires them, on the clock of the harness. */
abstract class DeadlineScenario extends EngineKit {

    static final Duration HOUR = Duration.ofHours(1);
    static final String NAME = "reminder";

    DeadlineReplica replica;

    @BeforeEach
    void startReplica() {
        replica = replicaOf(engine());
    }

    final DeadlineReplica replicaOf(EngineUnderTest engine) {
        return new DeadlineReplica(store(), engine, harness().clock());
    }

    final DeadlineReplica secondReplica() {
        return new DeadlineReplica(replica(), otherReplica(), harness().clock());
    }

    final void passTime(Duration time) {
        harness().passTime(time);
    }

    final Instant now() {
        return harness().clock().instant();
    }

    static Decision scheduling(String key, Duration delay, String text) {
        return context -> context.schedule(NAME, key, delay, new Noted(text));
    }

    final List<EventMessage> events() {
        return store().eventLog().readStream("kit.deadlines", 0, 10_000);
    }

    /** Returns the texts of the events that deadlines have appended. */
    final List<String> fired() {
        return events().stream()
                .map(event -> codec.decode(event.payload(), Noted.class).text())
                .toList();
    }

    /** Returns the keys of the deadlines' rows. */
    final List<String> rows() {
        return store().viewStore().page("deadlines", "", 10_000).stream()
                .map(row -> row.key().key())
                .toList();
    }
}
