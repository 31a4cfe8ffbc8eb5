package io.holdfast.jdbc;

import static io.holdfast.commit.CommitPoint.COMMIT;
import static io.holdfast.commit.CommitPoint.LOCK_HEAD;
import static io.holdfast.commit.CommitPoint.WRITE_EVENTS;
import static io.holdfast.commit.CommitPoint.WRITE_ROWS;
import static io.holdfast.commit.CommitPoint.WRITE_SNAPSHOTS;
import static io.holdfast.commit.CommitPoint.WRITE_TOKENS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.testsupport.JavaProcess;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.testsupport.Signal;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills processes while they append, one after another on the same database. Every acknowledged event is in the log,
 * and every unit in the log is complete.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillNineTests {

    private static final List<Moment> MOMENTS =
            Moment.of(LOCK_HEAD, WRITE_EVENTS, WRITE_ROWS, WRITE_TOKENS, WRITE_SNAPSHOTS, COMMIT);
    /** Late enough for a few hundred responses before it. */
    private static final int OCCURRENCE = 60;

    private final Path folder;
    private final Map<Dialect, String> urls = new EnumMap<>(Dialect.class);
    private final Map<Dialect, ProcessResponses> responses = new EnumMap<>(Dialect.class);

    KillNineTests(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void killAtRandomTimesLosesAndDuplicatesNothing(Dialect dialect) {
        killAtRandomTimes(dialect, 2);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void manyKillsAtRandomTimesLoseAndDuplicateNothing(Dialect dialect) {
        killAtRandomTimes(dialect, 20);
    }

    @ParameterizedTest
    @MethodSource
    void killDuringACommitLosesAndDuplicatesNothing(Dialect dialect, Moment moment) {
        killAt(dialect, moment);
    }

    /** Tests each moment on one of the two databases. */
    static Stream<Arguments> killDuringACommitLosesAndDuplicatesNothing() {
        return IntStream.range(0, MOMENTS.size())
                .mapToObj(
                        i -> Arguments.of(i % 4 == 0 || i % 4 == 3 ? Dialect.POSTGRESQL : Dialect.H2, MOMENTS.get(i)));
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource
    void killAtEveryCommitPointLosesAndDuplicatesNothing(Dialect dialect, Moment moment) {
        killAt(dialect, moment);
    }

    static Stream<Arguments> killAtEveryCommitPointLosesAndDuplicatesNothing() {
        return Stream.of(Dialect.values())
                .flatMap(dialect -> MOMENTS.stream().map(moment -> Arguments.of(dialect, moment)));
    }

    private void killAtRandomTimes(Dialect dialect, int kills) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int kill = 1; kill <= kills; kill++) {
            int enough = responses(dialect).count() + 200 + random.nextInt(600);
            run(dialect, "none", "seed " + seed + ", kill " + kill, process -> {
                process.awaitUntil(() -> responses(dialect).count() >= enough);
                process.signal(Signal.KILL);
            });
        }
    }

    private void killAt(Dialect dialect, Moment moment) {
        int before = responses(dialect).count();
        run(dialect, "die=" + MomentTrap.option(moment, OCCURRENCE), moment.toString(), process -> {});
        assertThat(responses(dialect).count()).as("acknowledged events").isGreaterThan(before);
    }

    /** Runs a process and audits the log after its end. */
    private void run(Dialect dialect, String option, String what, Consumer<JavaProcess> end) {
        try (JavaProcess process = AppendingProcess.start(url(dialect), responses(dialect), option)) {
            end.accept(process);
            process.awaitEndedBy(Signal.KILL);
        }
        try (Bank bank = Bank.open(url(dialect))) {
            LogAudit audit =
                    LogAudit.of(bank.store()).agreesWith(responses(dialect)).countsAgree();
            System.out.printf(
                    "kill -9 on %s, %s: %d events acknowledged, %d in the log%n",
                    dialect, what, responses(dialect).count(), audit.events());
        }
    }

    private ProcessResponses responses(Dialect dialect) {
        return responses.computeIfAbsent(dialect, any -> new ProcessResponses());
    }

    private String url(Dialect dialect) {
        return urls.computeIfAbsent(
                dialect,
                any -> any == Dialect.POSTGRESQL
                        ? PostgresqlServer.sharedDurable().newDatabase()
                        : "jdbc:h2:file:" + folder.resolve("log").toAbsolutePath() + ";WRITE_DELAY=0");
    }
}
