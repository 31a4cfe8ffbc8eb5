package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts.Overdrawn;
import io.holdfast.token.TokenClaim;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The audit of the crash tests detects every kind of damage: each is done to an intact log. */
class LogAuditTests {

    private static final String REMOVE_NEWEST_EVENT = "delete from holdfast_event where log_position = (select"
            + " head_position from holdfast_log); update holdfast_log set head_position = head_position - 1;"
            + " update holdfast_stream set head_position = head_position - 1, head_id ="
            + " (select event_id from holdfast_event where log_position = (select head_position from holdfast_log))";

    private final Bank bank = Bank.open("jdbc:h2:mem:" + UUID.randomUUID());
    private final ProcessResponses responses = new ProcessResponses();

    @BeforeEach
    void fill() {
        CountingConsumer consumer = new CountingConsumer(bank);
        TokenClaim claim = consumer.claim();
        for (int number = 0; number < 20; number++) {
            acknowledge(number);
            responses.accept("COUNTED " + consumer.advance(claim));
        }
    }

    @AfterEach
    void close() {
        bank.close();
    }

    @Test
    void acceptsAnIntactLog() {
        audit();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "position              | delete from holdfast_event where log_position = 7",
                "position              | update holdfast_event set log_position = log_position + 1 where log_position ="
                        + " (select head_position from holdfast_log);"
                        + " update holdfast_log set head_position = head_position + 1",
                "position before       | update holdfast_event set previous_position = 3 where log_position = 7",
                "id before             | update holdfast_event set previous_id = random_uuid() where log_position = 7",
                "version of            | update holdfast_event set key_version = 1000 where log_position = 7",
                "the head              | update holdfast_log set head_position = head_position - 1",
                "streams               | insert into holdfast_stream values ('more', false, 1, random_uuid())",
                "head of accounts      | update holdfast_stream set head_id = random_uuid()",
                "snapshot of           | update holdfast_snapshot set state = '{\"amount\":1000000}'",
                "ids                   | alter table holdfast_event drop constraint holdfast_event_id;"
                        + " update holdfast_event set event_id = previous_id where log_position = 7;"
                        + " update holdfast_event set previous_id = (select event_id from holdfast_event"
                        + " where log_position = 7) where log_position = 8",
                "snapshot of           | update holdfast_event set payload = '{\"amount\":99}' where log_position = 1",
                "token                 | update holdfast_token set version = version + 1",
                "token                 | update holdfast_row set row_value = '{\"value\":19}'",
                "token                 | delete from holdfast_row",
                "acknowledged events   | update holdfast_event set event_id = random_uuid() where log_position ="
                        + " (select head_position from holdfast_log);"
                        + " update holdfast_stream set head_id = (select event_id from holdfast_event"
                        + " where log_position = (select head_position from holdfast_log))"
            })
    void detectsDamage(String found, String damage) throws SQLException {
        run(damage);

        assertFinds(found);
    }

    @Test
    void detectsALostAcknowledgedEvent() throws SQLException {
        acknowledge(20);

        run(REMOVE_NEWEST_EVENT);

        assertFinds("acknowledged events");
    }

    @Test
    void detectsAPartlyLostUnacknowledgedUnit() throws SQLException {
        assertThat(execute(20).events()).hasSize(2);
        audit();

        run(REMOVE_NEWEST_EVENT);

        assertFinds("a complete deposit");
    }

    @Test
    void detectsEventsOfACommandThatWasNeverSent() {
        execute(21);

        assertFinds("commands that were sent");
    }

    @Test
    void detectsAResponseThatIsNeitherSuccessNorRetryable() {
        responses.accept("FAILED 0 20 for no reason");

        assertFinds("responses that are neither success nor retryable");
    }

    private void assertFinds(String found) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(this::audit).withMessageContaining("[" + found);
    }

    private void audit() {
        LogAudit.of(bank.store()).agreesWith(responses).countsAgree();
    }

    private void acknowledge(int number) {
        try {
            String ids = execute(number).events().stream()
                    .map(event -> event.id().toString())
                    .collect(Collectors.joining(" "));
            responses.accept("ACK 0 " + number + " " + ids);
        } catch (Overdrawn e) {
            responses.accept("REJECTED 0 " + number);
        }
    }

    private CommandResult execute(int number) {
        BankCommand command = new BankCommand(0, number);
        return bank.controller().execute(command.command(), command.decision());
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = bank.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String one : sql.split(";", -1)) {
                statement.execute(one);
            }
        }
    }
}
