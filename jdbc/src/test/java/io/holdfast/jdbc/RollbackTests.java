package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.testsupport.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A full rollback while many entries of the new type arrive. The old version continues with what it knows. */
@Tag("long")
class RollbackTests {

    private static final VersionChange CHANGE = VersionChange.NEW_HANDLER;
    private static final int ENTRIES = 10_000;
    private static final int COMMITS = 20;
    private static final int PROBES = 10;
    /** The log of the old version must not grow with the number of entries. */
    private static final int MAX_LOGGED = 100;

    private static final Duration MAX_HOLD = Duration.ofSeconds(5);
    /** The old version learns of entries that another process writes within about a second. */
    private static final Duration MAX_DELAY = Duration.ofSeconds(15);

    private static final Duration BOUND = Duration.ofMinutes(3);

    private final String url = PostgresqlServer.sharedDurable().newDatabase();
    private final List<String> report = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1_000, ENTRIES})
    void oldVersionContinuesAndTenThousandEntriesWaitForTheNewOne(int keys) {
        try (EntryWriter writer = new EntryWriter(url, CHANGE)) {
            EntryAudit audit = new EntryAudit(writer, CHANGE);
            try (VersionedProcess newer = start("newer-1", VersionChange.NEW)) {
                newer.awaitReady();
                writer.writeNew("before");
                awaitTrue(() -> audit.effects("before") == 1);
                newer.end(Signal.TERM);
            }
            try (VersionedProcess older = start("older", VersionChange.OLD)) {
                older.awaitClaimed(VersionedReplica.SEGMENTS);
                park(keys, writer, audit, older);
                drain(audit, older);
            }
            audit.everyEntryIsHandledOnce();
        } finally {
            report.forEach(
                    line -> System.out.println("rollback, " + ENTRIES + " entries on " + keys + " keys: " + line));
        }
    }

    private void park(int keys, EntryWriter writer, EntryAudit audit, VersionedProcess older) {
        report.add("known entries before them took " + probe("quiet-", writer, audit));
        long start = System.nanoTime();
        for (int from = 0; from < keys; from += keys / COMMITS) {
            writer.writeNew(keys(from, from + keys / COMMITS), ENTRIES / keys);
        }
        report.add("written within " + since(start) + " ms");
        CompletableFuture<Probe> meanwhile = CompletableFuture.supplyAsync(() -> probe("busy-", writer, audit));
        awaitTrue(() -> audit.letters() == ENTRIES);
        report.add("parked within " + since(start) + " ms");
        checkLetters(keys, writer.replica().store().deadLetterStore());
        awaitTrue(() -> older.pending() == ENTRIES);
        report.add("dlq.pending shows " + older.pending() + " after " + since(start) + " ms");
        report.add("known entries meanwhile took " + meanwhile.join());
        report.add("known entries afterwards took " + probe("pending-", writer, audit));
        assertThat(meanwhile.join().median())
                .as("ms until a known entry is handled")
                .isLessThan(MAX_DELAY.toMillis());
        assertThat(audit.letters()).as("letters").isEqualTo(ENTRIES);
    }

    private void drain(EntryAudit audit, VersionedProcess older) {
        long start = System.nanoTime();
        try (VersionedProcess newer = start("newer-2", VersionChange.NEW)) {
            awaitTrue(() -> audit.letters() == 0);
            report.add("drained after " + since(start) + " ms, the start of the new version included");
            report.add("logged from WARN up: " + older.logged() + " by the old version, " + newer.logged()
                    + " by the new one");
            audit.awaitAllHandled();
            assertThat(older.logged()).as("lines logged, from WARN up").isLessThan(MAX_LOGGED);
        }
    }

    private static void checkLetters(int keys, DeadLetterStore store) {
        List<ParkedSequence> sequences = StoredSequences.findAll(store, VersionedReplica.PROCESSOR);
        assertThat(sequences).hasSize(keys).allSatisfy(sequence -> {
            assertThat(sequence.awaits()).isEqualTo("Revised@1");
            assertThat(sequence.attempts()).isZero();
        });
        store.findFirstLetters(sequences, 1).values().forEach(RollbackTests::checkCause);
    }

    private static void checkCause(List<DeadLetter> first) {
        assertThat(first).singleElement().satisfies(letter -> assertThat(
                        Objects.requireNonNull(letter.cause()).message())
                .contains("of version " + VersionChange.OLD)
                .contains("which version " + VersionChange.NEW + " has registered"));
    }

    /** Measures how long entries that every version knows take, from the commit to their effect. */
    private static Probe probe(String prefix, EntryWriter writer, EntryAudit audit) {
        List<Long> times = IntStream.range(0, PROBES)
                .mapToObj(number -> {
                    long start = System.nanoTime();
                    writer.writeOld(prefix + number);
                    awaitTrue(() -> audit.effects(prefix + number) == 1);
                    return since(start);
                })
                .sorted()
                .toList();
        return new Probe(times.get(PROBES / 2), times.get(PROBES - 1));
    }

    private VersionedProcess start(String replica, String version) {
        return VersionedProcess.start(url, new VersionedOptions(replica, version, CHANGE, MAX_HOLD));
    }

    private static List<String> keys(int from, int to) {
        return IntStream.range(from, to).mapToObj(number -> "key-" + number).toList();
    }

    private static void awaitTrue(BooleanSupplier condition) {
        await().atMost(BOUND).pollInterval(Duration.ofMillis(10)).until(condition::getAsBoolean);
    }

    private static long since(long start) {
        return Duration.ofNanos(System.nanoTime() - start).toMillis();
    }

    /** How many milliseconds entries took. */
    private record Probe(long median, long longest) {

        @Override
        public String toString() {
            return median + " ms, at most " + longest + " ms";
        }
    }
}
