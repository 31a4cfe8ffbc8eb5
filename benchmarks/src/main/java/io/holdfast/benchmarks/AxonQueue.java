package io.holdfast.benchmarks;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.EventMessageHandler;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.GenericTrackedDomainEventMessage;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.deadletter.DeadLetteringEventHandlerInvoker;
import org.axonframework.eventhandling.deadletter.jdbc.GenericDeadLetterTableFactory;
import org.axonframework.eventhandling.deadletter.jdbc.JdbcSequencedDeadLetterQueue;
import org.axonframework.messaging.deadletter.GenericDeadLetter;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.jackson3.Jackson3Serializer;

/**
 * Axon's JDBC dead-letter queue in its own database, set up as documented, with limits that are never reached and with
 * Jackson, which is faster than its default serializer.
 */
final class AxonQueue {

    private static final String GROUP = "processor";
    private static final String TEMPLATE = "template";

    private final DataSource dataSource;
    private final AxonTransactions transactions;
    private final JdbcSequencedDeadLetterQueue<EventMessage<?>> queue;

    private AxonQueue(DataSource dataSource) {
        this.dataSource = dataSource;
        this.transactions = new AxonTransactions(dataSource);
        Serializer serializer = Jackson3Serializer.builder().build();
        this.queue = JdbcSequencedDeadLetterQueue.<EventMessage<?>>builder()
                .processingGroup(GROUP)
                .connectionProvider(transactions)
                .transactionManager(transactions)
                .genericSerializer(serializer)
                .eventSerializer(serializer)
                .maxSequences(Integer.MAX_VALUE)
                .maxSequenceSize(Integer.MAX_VALUE)
                .build();
    }

    /** Creates the queue in an empty database. */
    static AxonQueue create(DataSource dataSource) {
        AxonQueue queue = new AxonQueue(dataSource);
        queue.queue.createSchema(new PostgresqlTables());
        return queue;
    }

    AxonTransactions transactions() {
        return transactions;
    }

    /** Returns the same queue, accessed through another DataSource. */
    AxonQueue withDataSource(UnaryOperator<DataSource> around) {
        return new AxonQueue(around.apply(dataSource));
    }

    long size() {
        return queue.size();
    }

    /** Creates the invoker, which calls the handler and parks failed events. */
    DeadLetteringEventHandlerInvoker invoker(EventMessageHandler handler, boolean cached) {
        DeadLetteringEventHandlerInvoker.Builder builder = DeadLetteringEventHandlerInvoker.builder();
        builder.eventHandlers(handler);
        builder.queue(queue).transactionManager(transactions);
        if (cached) {
            builder.enableSequenceIdentifierCache();
        }
        return builder.build();
    }

    /** Creates an event as a streaming processor receives it. */
    static EventMessage<?> event(String key, long number) {
        DomainEventMessage<?> event =
                new GenericDomainEventMessage<>("Account", key, 0, ParkedPurchases.of(key, number));
        return new GenericTrackedDomainEventMessage<>(new GlobalSequenceTrackingToken(number), event);
    }

    /**
     * Empties the queue and inserts parked sequences by SQL: copies of one letter that Axon wrote. Each sequence is one
     * millisecond younger than the previous one.
     */
    void fill(int sequences, int letters) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate table DeadLetterEntry");
            queue.enqueue(
                    TEMPLATE,
                    new GenericDeadLetter<>(
                            TEMPLATE, event(key(0), 0), new IllegalStateException(ParkedPurchases.CAUSE)));
            String columns = columns(statement);
            statement.execute("insert into DeadLetterEntry (" + columns + ") select "
                    + columns.replace("deadletteridentifier", "gen_random_uuid()::text")
                            .replace("eventidentifier", "gen_random_uuid()::text")
                            .replace("sequenceidentifier", "key")
                            .replace("aggregateidentifier", "key")
                            .replace("sequenceindex", "number")
                            .replace("lasttouched", "touched")
                    + " from DeadLetterEntry, lateral (select 'account-' || to_char(s, 'FM00000000') as key, n as number,"
                    + " to_char(timestamp '2026-01-01' + s * interval '1 ms', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') as touched"
                    + " from generate_series(0, " + (sequences - 1) + ") s, generate_series(1, " + letters
                    + ") n) copies");
            statement.execute("delete from DeadLetterEntry where sequenceIdentifier = '" + TEMPLATE + "'");
            statement.execute("vacuum analyze DeadLetterEntry");
        } catch (SQLException e) {
            throw Failures.of("filling Axon's queue", e);
        }
    }

    /** Deletes the letters that were parked after {@link #fill}. */
    void removeOthers() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("delete from DeadLetterEntry where sequenceIdentifier not like 'account-%'");
            statement.execute("vacuum analyze DeadLetterEntry");
        } catch (SQLException e) {
            throw Failures.of("deleting letters from Axon's queue", e);
        }
    }

    private static String key(long number) {
        return Purchases.key(number);
    }

    private static String columns(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select string_agg(column_name, ', ') from"
                + " information_schema.columns where table_name = 'deadletterentry'")) {
            row.next();
            return row.getString(1);
        }
    }

    /** Axon ships no table factory for PostgreSQL. This one follows its documentation. */
    private static final class PostgresqlTables extends GenericDeadLetterTableFactory {

        @Override
        protected String serializedDataType() {
            return "bytea";
        }
    }
}
