package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.handling.Component;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.testsupport.PostgresqlServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A version without a handler that an earlier version had, first by mistake and then declared. */
class RetiredHandlerTests {

    private static final VersionChange CHANGE = VersionChange.NEW_HANDLER;
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final String url = PostgresqlServer.shared().newDatabase();
    private final EntryWriter writer = new EntryWriter(url, CHANGE);
    private final EntryAudit audit = new EntryAudit(writer, CHANGE);

    @AfterEach
    void close() {
        writer.close();
    }

    @Test
    void removedHandlerIsVisibleUntilItIsDeclaredAndNothingElseWaits() {
        run("2.0", CHANGE.components(VersionChange.NEW), () -> {
            writer.writeNew("before");
            awaitEffects("before", 1);
        });
        writer.writeNew("waiting");
        writer.writeOld("waiting");

        run("3.0", List.of(withoutHandler().build()), () -> {
            writer.writeOld("other");
            awaitEffects("other", 1);
            awaitLetters(2);
            assertThat(parked()).extracting(ParkedSequence::awaits).containsExactly("Revised@1");
        });
        run("3.1", List.of(withoutHandler().retires("Revised").build()), () -> {
            awaitEffects("waiting", 1);
            writer.writeNew("after");
            writer.writeOld("after");
            awaitEffects("after", 1);
            awaitLetters(0);
        });

        assertThat(parked()).isEmpty();
        assertThat(audit.effects()).as("effects of all versions").isEqualTo(4);
    }

    /** Runs the test's step while one replica of the version runs. */
    private void run(String version, List<Component> components, Runnable step) {
        VersionedOptions options = new VersionedOptions("replica-" + version, version, CHANGE, Duration.ofMinutes(15));
        try (VersionedReplica replica = VersionedReplica.open(url, options, components)) {
            step.run();
            assertThat(replica.pending()).as("PENDING letters").isZero();
        }
    }

    private static Component.Builder withoutHandler() {
        return VersionChange.handling(VersionChange.FIRST);
    }

    private void awaitEffects(String key, int count) {
        await().atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(audit.effects(key)).as(key).isEqualTo(count));
    }

    private void awaitLetters(int count) {
        await().atMost(BOUND)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(audit.letters()).as("letters").isEqualTo(count));
    }

    private List<ParkedSequence> parked() {
        return StoredSequences.findAll(writer.replica().store().deadLetterStore(), VersionedReplica.PROCESSOR);
    }
}
