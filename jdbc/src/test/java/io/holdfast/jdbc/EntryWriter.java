package io.holdfast.jdbc;

import static org.awaitility.Awaitility.await;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.eventsourcing.Command;
import io.holdfast.jdbc.Entries.Added;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;

/** A replica without a processor, which writes entries and audits their effects. */
final class EntryWriter implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final IntFunction<Object> OLD_TYPE = Added::new;

    private final VersionChange change;
    private final VersionedReplica replica;

    EntryWriter(String url, VersionChange change) {
        this.change = change;
        this.replica = VersionedReplica.open(
                url, new VersionedOptions("writer", VersionChange.OLD, change, Duration.ofMinutes(15)), List.of());
    }

    VersionedReplica replica() {
        return replica;
    }

    /** Writes one entry of the type that every version handles. */
    void writeOld(String key) {
        write(key, List.of(OLD_TYPE));
    }

    /** Writes one entry of the type that only the new version handles. */
    void writeNew(String key) {
        write(key, List.of(change.newType()));
    }

    /** Writes an entry of both types, in any order. */
    void writeBoth(String key, Random random) {
        write(key, random.nextBoolean() ? List.of(OLD_TYPE, change.newType()) : List.of(change.newType(), OLD_TYPE));
    }

    /** Writes entries of the new type in one commit: that many of each of the keys. */
    void writeNew(List<String> keys, int each) {
        execute(context -> {
            for (int round = 0; round < each; round++) {
                keys.forEach(key -> append(context, key, change.newType()));
            }
        });
    }

    private void write(String key, List<IntFunction<Object>> types) {
        execute(context -> types.forEach(type -> append(context, key, type)));
    }

    /** Repeats the command until it gets a response: a killed process may have locked the head. */
    private void execute(Decision decision) {
        Command command = Command.keyed("writer", UUID.randomUUID().toString());
        await().atMost(BOUND)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .ignoreExceptionsInstanceOf(RetryableException.class)
                .until(() -> !replica.service()
                        .commands()
                        .execute(command, decision)
                        .events()
                        .isEmpty());
    }

    private static void append(DecisionContext context, String key, IntFunction<Object> type) {
        int newest = context.state(Entries.ENTRIES, key).number();
        context.append(Entries.ENTRIES, key, type.apply(newest + 1));
    }

    @Override
    public void close() {
        replica.close();
    }
}
