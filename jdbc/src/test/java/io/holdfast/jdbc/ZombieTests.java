package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.commit.CommitPoint;
import io.holdfast.jdbc.CopyAudit.CopyRow;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.testsupport.Signal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process that was frozen for longer than its lease, in the middle of a commit, and resumes as if no time had passed.
 * Another replica has claimed its segments in the meantime.
 */
class ZombieTests {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int CUSTOMERS = 32;
    /** Late enough for some commits before it, early enough for much remaining work. */
    private static final int OCCURRENCE = 4;

    @ParameterizedTest
    @MethodSource("someMoments")
    void commitsNothingUnderStaleClaimsAndThenWorksNormally(Moment moment, boolean ownRows) {
        freeze(moment, ownRows);
    }

    static Stream<Arguments> someMoments() {
        return Stream.of(
                Arguments.of(new Moment(CommitPoint.LOCK_HEAD, false), false),
                Arguments.of(new Moment(CommitPoint.COMMIT, false), true));
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("allMoments")
    void commitsNothingUnderStaleClaimsAtAnyCommitPoint(Moment moment, boolean ownRows) {
        freeze(moment, ownRows);
    }

    static Stream<Arguments> allMoments() {
        return Moment.of(CommitPoint.LOCK_HEAD, CommitPoint.WRITE_EVENTS, CommitPoint.WRITE_TOKENS, CommitPoint.COMMIT)
                .stream()
                .flatMap(moment -> Stream.of(Arguments.of(moment, false), Arguments.of(moment, true)));
    }

    private static void freeze(Moment moment, boolean ownRows) {
        String url = PostgresqlServer.sharedDurable().newDatabase();
        CountDownLatch gate = new CountDownLatch(1);
        try (CopyingReplica orders = CopyingReplica.withoutProcessor(url)) {
            orders.place(CUSTOMERS, 30);
            CopyAudit audit = new CopyAudit(orders);
            try (CopyingProcess zombie = CopyingProcess.start(
                    url,
                    CopyingOptions.of("zombie").ownRows(ownRows),
                    "wait=" + MomentTrap.option(moment, OCCURRENCE))) {
                AppendingProcess.awaitMoment(zombie.process());
                zombie.process().signal(Signal.STOP);
                try (CopyingReplica other = CopyingReplica.open(
                        url,
                        CopyingOptions.of("other").ownRows(ownRows),
                        CommitPoint.Observer.NONE,
                        () -> pass(gate))) {
                    await().atMost(BOUND).until(() -> other.claimed() == CopyingReplica.SEGMENTS);
                    List<CopyRow> before = audit.writtenBy(ownRows);
                    int heads = zombie.headLocks();

                    zombie.process().signal(Signal.CONT);
                    AppendingProcess.resume(zombie.process());
                    zombie.awaitClaimed(0);
                    // The database has ended an idle transaction with application rows. Its retry locks the head only
                    // if
                    // the zombie has not noticed yet that it lost the segment.
                    if (moment.point() == CommitPoint.LOCK_HEAD && !ownRows) {
                        zombie.process().awaitUntil(() -> zombie.headLocks() > heads);
                    }
                    orders.place(CUSTOMERS, 1); // locks the head, so the zombie has locked and released it before
                    assertThat(audit.writtenBy(ownRows))
                            .as("rows, while the other has claimed all segments and committed nothing")
                            .isEqualTo(before);

                    gate.countDown();
                    audit.awaitAllCopied();
                    zombie.awaitClaimed(CopyingReplica.SEGMENTS / 2);
                    orders.place(CUSTOMERS, 1);
                    audit.awaitAllCopied();
                    assertThat(audit.writtenBy(ownRows))
                            .filteredOn(row -> row.key().endsWith("/32"))
                            .extracting(CopyRow::by)
                            .contains("zombie", "other");
                    audit.everyOrderIsCopiedOnce(ownRows);
                }
            } finally {
                gate.countDown();
            }
        }
    }

    private static void pass(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
