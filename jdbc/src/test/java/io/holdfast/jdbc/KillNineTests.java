package io.holdfast.jdbc;

import static io.holdfast.commit.CommitPoint.COMMIT;
import static io.holdfast.commit.CommitPoint.LOCK_HEAD;
import static io.holdfast.commit.CommitPoint.WRITE_EVENTS;
import static io.holdfast.commit.CommitPoint.WRITE_ROWS;
import static io.holdfast.commit.CommitPoint.WRITE_SNAPSHOTS;
import static io.holdfast.commit.CommitPoint.WRITE_TOKENS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.CrashPoints.Moment;
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
 * Processes that are killed while they append, one after another on the same database: what was acknowledged is there,
 * and what is there is whole.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KillNineTests {

    private static final List<Moment> MOMENTS =
            Moment.of(LOCK_HEAD, WRITE_EVENTS, WRITE_ROWS, WRITE_TOKENS, WRITE_SNAPSHOTS, COMMIT);
    /** Late enough for some hundred answers before. */
    private static final int OCCURRENCE = 60;

    private final Path folder;
    private final Map<Dialect, String> urls = new EnumMap<>(Dialect.class);
    private final Map<Dialect, ProcessResponses> answers = new EnumMap<>(Dialect.class);

    KillNineTests(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void atRandomTimesLosesAndDoublesNothing(Dialect dialect) {
        killAtRandomTimes(dialect, 2);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void atManyRandomTimesLosesAndDoublesNothing(Dialect dialect) {
        killAtRandomTimes(dialect, 20);
    }

    @ParameterizedTest
    @MethodSource
    void atAMomentOfTheCommitLosesAndDoublesNothing(Dialect dialect, Moment moment) {
        killAt(dialect, moment);
    }

    /** Each moment on one of the two. */
    static Stream<Arguments> atAMomentOfTheCommitLosesAndDoublesNothing() {
        return IntStream.range(0, MOMENTS.size())
                .mapToObj(
                        i -> Arguments.of(i % 4 == 0 || i % 4 == 3 ? Dialect.POSTGRESQL : Dialect.H2, MOMENTS.get(i)));
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource
    void atEveryMomentOnBothDatabasesLosesAndDoublesNothing(Dialect dialect, Moment moment) {
        killAt(dialect, moment);
    }

    static Stream<Arguments> atEveryMomentOnBothDatabasesLosesAndDoublesNothing() {
        return Stream.of(Dialect.values())
                .flatMap(dialect -> MOMENTS.stream().map(moment -> Arguments.of(dialect, moment)));
    }

    private void killAtRandomTimes(Dialect dialect, int kills) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int kill = 1; kill <= kills; kill++) {
            int enough = answers(dialect).count() + 200 + random.nextInt(600);
            run(dialect, "none", "seed " + seed + ", kill " + kill, process -> {
                process.awaitUntil(() -> answers(dialect).count() >= enough);
                process.signal("KILL");
            });
        }
    }

    private void killAt(Dialect dialect, Moment moment) {
        int before = answers(dialect).count();
        run(dialect, "die=" + MomentTrap.option(moment, OCCURRENCE), moment.toString(), process -> {});
        assertThat(answers(dialect).count()).as("answers").isGreaterThan(before);
    }

    /** No process without an audit after it. */
    private void run(Dialect dialect, String option, String what, Consumer<ChildProcess> end) {
        try (ChildProcess process = ChildProcess.start(url(dialect), answers(dialect), option)) {
            end.accept(process);
            process.awaitKilled();
        }
        try (Bank bank = Bank.open(url(dialect))) {
            LogAudit audit =
                    LogAudit.of(bank.store()).agreesWith(answers(dialect)).countsAgree();
            System.out.printf(
                    "kill -9 on %s, %s: %d events acknowledged, %d in the log%n",
                    dialect, what, answers(dialect).count(), audit.events());
        }
    }

    private ProcessResponses answers(Dialect dialect) {
        return answers.computeIfAbsent(dialect, any -> new ProcessResponses());
    }

    private String url(Dialect dialect) {
        return urls.computeIfAbsent(
                dialect,
                any -> any == Dialect.POSTGRESQL
                        ? DurableServer.newDatabase()
                        : "jdbc:h2:file:" + folder.resolve("log").toAbsolutePath() + ";WRITE_DELAY=0");
    }
}
