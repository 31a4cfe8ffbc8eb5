package io.holdfast.jdbc;

import static io.holdfast.commit.CommitPoint.COMMIT;
import static io.holdfast.commit.CommitPoint.LOCK_HEAD;
import static io.holdfast.commit.CommitPoint.TOKEN_CLAIM;
import static io.holdfast.commit.CommitPoint.TOKEN_INITIALIZE;
import static io.holdfast.commit.CommitPoint.TOKEN_RENEW;
import static io.holdfast.commit.CommitPoint.TOKEN_RENEW_REPLICA;
import static io.holdfast.commit.CommitPoint.TOKEN_SET_UP;
import static io.holdfast.commit.CommitPoint.WRITE_EVENTS;
import static io.holdfast.commit.CommitPoint.WRITE_LETTERS;
import static io.holdfast.commit.CommitPoint.WRITE_ROWS;
import static io.holdfast.commit.CommitPoint.WRITE_SNAPSHOTS;
import static io.holdfast.commit.CommitPoint.WRITE_TOKENS;

import io.holdfast.commit.CommitPoint;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.testsupport.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills a process at a named moment while its processor handles, parks and retries. The next process completes its
 * unfinished work.
 */
class ProcessorKillTests {

    /** The commit points of a processor, from its start on. */
    private static final CommitPoint[] POINTS = {
        LOCK_HEAD,
        WRITE_EVENTS,
        WRITE_ROWS,
        WRITE_TOKENS,
        WRITE_LETTERS,
        WRITE_SNAPSHOTS,
        COMMIT,
        TOKEN_INITIALIZE,
        TOKEN_RENEW_REPLICA,
        TOKEN_CLAIM,
        TOKEN_SET_UP,
        TOKEN_RENEW
    };
    /** Points that rarely occur: the trap is set at their first occurrence. */
    private static final Set<CommitPoint> RARE_POINTS = Set.of(TOKEN_INITIALIZE, TOKEN_RENEW_REPLICA, TOKEN_RENEW);

    private static final Duration LEASE = Duration.ofSeconds(1);

    private final Path folder;

    ProcessorKillTests(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @MethodSource
    void killAtACommitPointLosesAndDuplicatesNothing(Dialect dialect, Moment moment, boolean ownRows) {
        killAt(dialect, moment, ownRows);
    }

    static Stream<Arguments> killAtACommitPointLosesAndDuplicatesNothing() {
        return Stream.of(
                Arguments.of(Dialect.POSTGRESQL, new Moment(WRITE_LETTERS, true), false),
                Arguments.of(Dialect.H2, new Moment(WRITE_LETTERS, false), true),
                Arguments.of(Dialect.POSTGRESQL, new Moment(TOKEN_SET_UP, false), false),
                Arguments.of(Dialect.H2, new Moment(TOKEN_SET_UP, true), false),
                Arguments.of(Dialect.POSTGRESQL, new Moment(COMMIT, true), true),
                Arguments.of(Dialect.H2, new Moment(COMMIT, false), false));
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource
    void killAtEveryCommitPointLosesAndDuplicatesNothing(Dialect dialect, Moment moment, boolean ownRows) {
        killAt(dialect, moment, ownRows);
    }

    static Stream<Arguments> killAtEveryCommitPointLosesAndDuplicatesNothing() {
        return Stream.of(Dialect.values())
                .flatMap(dialect -> Moment.of(POINTS).stream().flatMap(moment -> Stream.of(false, true)
                        .filter(ownRows -> !ownRows || !moment.point().name().startsWith("TOKEN_"))
                        .map(ownRows -> Arguments.of(dialect, moment, ownRows))));
    }

    private void killAt(Dialect dialect, Moment moment, boolean ownRows) {
        String url = dialect == Dialect.POSTGRESQL
                ? PostgresqlServer.sharedDurable().newDatabase()
                : "jdbc:h2:file:" + folder.resolve("log").toAbsolutePath() + ";WRITE_DELAY=0";
        CopyingOptions options =
                CopyingOptions.of("killed").ownRows(ownRows).failingAtFirst().lease(LEASE);
        try (CopyingReplica orders = CopyingReplica.withoutProcessor(url)) {
            orders.place(20, 15);
        }

        String occurrence = MomentTrap.option(moment, RARE_POINTS.contains(moment.point()) ? 1 : 5);
        try (CopyingProcess killed = CopyingProcess.start(url, options, "die=" + occurrence)) {
            killed.process().awaitEndedBy(Signal.KILL);
        }

        try (CopyingReplica orders = CopyingReplica.withoutProcessor(url)) {
            CopyAudit audit = new CopyAudit(orders);
            long before = audit.count(Copies.COPIES);
            try (CopyingReplica next = CopyingReplica.open(url, options.named("next"))) {
                audit.awaitAllCopied().everyOrderIsCopiedOnce(ownRows);
                System.out.printf(
                        "kill -9 of a processor on %s, %s: %d of %d orders copied before, the next replica claimed %s segments%n",
                        dialect, moment, before, audit.count(Copies.ORDERS), next.claimed());
            }
        }
    }
}
