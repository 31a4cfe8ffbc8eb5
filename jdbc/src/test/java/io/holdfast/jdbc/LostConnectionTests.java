package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.testsupport.PostgresqlServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Connections are lost under load. Every response is a success or retryable, no command takes effect twice, and the
 * pool recovers.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostConnectionTests {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int SOME = 200;

    private final PostgresqlServer server = PostgresqlServer.startDurable();

    @AfterAll
    void stopServer() {
        server.close();
    }

    @Test
    void terminatedConnectionsLoseAndDuplicateNothing() {
        try (Bank bank = Bank.open(server.newDatabase());
                RepeatingCallers callers = RepeatingCallers.start(bank)) {
            for (int time = 0; time < 8; time++) {
                awaitMore(callers);
                server.terminateConnections();
            }
            awaitMore(callers);

            callers.stop();
            check(bank, callers, "eight times");
        }
    }

    @Test
    void serverRestartLosesAndDuplicatesNothing() {
        try (Bank bank = Bank.open(server.newDatabase());
                RepeatingCallers callers = RepeatingCallers.start(bank)) {
            awaitMore(callers);

            server.crashAndRestart();

            awaitMore(callers);
            callers.stop();
            check(bank, callers, "by a restart");
        }
    }

    private static void awaitMore(RepeatingCallers callers) {
        int enough = callers.successes() + SOME;
        await().atMost(BOUND)
                .pollInterval(Duration.ofMillis(2))
                .until(() ->
                        callers.successes() >= enough || !callers.failures().isEmpty());
    }

    private static void check(Bank bank, RepeatingCallers callers, String what) {
        assertThat(callers.failures()).isEmpty();
        LogAudit audit = LogAudit.of(bank.store());
        assertThat(audit.balance(RepeatingCallers.REPEATED)).isEqualTo(callers.repeated());
        assertThat(audit.balance(RepeatingCallers.SENT_ONCE))
                .as("an error without an unknown outcome means that nothing was committed")
                .isBetween((long) callers.sentOnce(), (long) callers.sentOnce() + callers.unknown());
        System.out.printf(
                "connections lost %s: %d repeated and %d single commands succeeded, %d retryable errors, %d unknown%n",
                what, callers.repeated(), callers.sentOnce(), callers.retries(), callers.unknown());
    }
}
