package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.eventsourcing.Command;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.testsupport.JavaProcess;
import io.holdfast.testsupport.PostgresqlServer;
import io.holdfast.testsupport.Signal;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A replica that freezes with the head locked blocks others only briefly, and resumes afterwards. */
class FrozenReplicaTests {

    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final int OCCURRENCE = 40;

    private final ProcessResponses responses = new ProcessResponses();
    private int appended;

    @ParameterizedTest
    @MethodSource("moments")
    void letsOthersAppendAndResumesAfterwards(Moment moment) {
        freeze(moment, Duration.ZERO);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("moments")
    void letsOthersAppendForAMinuteAndResumesAfterwards(Moment moment) {
        freeze(moment, Duration.ofSeconds(60));
    }

    static Stream<Moment> moments() {
        return Stream.of(new Moment(CommitPoint.LOCK_HEAD, true), new Moment(CommitPoint.COMMIT, false));
    }

    private void freeze(Moment moment, Duration atLeast) {
        String url = PostgresqlServer.sharedDurable().newDatabase();
        String option = "wait=" + MomentTrap.option(moment, OCCURRENCE);
        try (Bank other = Bank.open(url);
                JavaProcess frozen = AppendingProcess.start(url, responses, option)) {
            AppendingProcess.awaitMoment(frozen);
            frozen.signal(Signal.STOP);

            long start = System.nanoTime();
            append(other);
            Duration waited = Duration.ofNanos(System.nanoTime() - start);
            assertThat(waited).isLessThan(MAX_WAIT);
            while (System.nanoTime() - start < atLeast.toNanos()) {
                append(other);
            }

            int before = responses.count();
            frozen.signal(Signal.CONT);
            AppendingProcess.resume(frozen);
            frozen.awaitUntil(() -> responses.count() >= before + 300);
            frozen.kill();
            LogAudit audit = LogAudit.of(other.store()).agreesWith(responses).countsAgree();
            assertThat(audit.balance("other")).isEqualTo(appended);
            System.out.printf(
                    "frozen %s: the other appended after %d ms, %d in all; %d events acknowledged before, %d after,"
                            + " %d retryable errors%n",
                    moment, waited.toMillis(), appended, before, responses.count() - before, responses.retries());
        }
    }

    private void append(Bank other) {
        other.controller().execute(Command.keyed("other", Integer.toString(appended)), Accounts.deposit("other", 1));
        appended++;
    }
}
