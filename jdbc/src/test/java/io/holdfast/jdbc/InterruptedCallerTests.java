package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt during a file operation closes an H2 database, so no caller's thread performs one. */
class InterruptedCallerTests {

    private static final int INTERRUPTIONS = 3_000;

    @Test
    void interruptsLeaveTheDatabaseOpenAndConsistent(@TempDir Path folder) {
        String url = "jdbc:h2:file:" + folder.resolve("log").toAbsolutePath() + ";WRITE_DELAY=0";
        try (Bank bank = Bank.open(url);
                RepeatingCallers callers = RepeatingCallers.start(bank)) {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> callers.interrupt() >= INTERRUPTIONS || callers.troubled());
            assertThat(callers.failures()).isEmpty();
            assertThat(callers.retries() + callers.unknown()).as("errors").isZero();
            callers.stop();
            assertThat(callers.troubled()).isFalse();

            LogAudit audit = LogAudit.of(bank.store());
            assertThat(audit.balance(RepeatingCallers.REPEATED)).isEqualTo(callers.repeated());
            assertThat(audit.balance(RepeatingCallers.SENT_ONCE)).isEqualTo(callers.sentOnce());
            System.out.printf(
                    "interrupted %d times: %d commands succeeded%n", callers.interrupt(), callers.successes());
        }
    }
}
