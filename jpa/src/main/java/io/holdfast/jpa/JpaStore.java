package io.holdfast.jpa;

import io.holdfast.action.ActionStore;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.event.EventLog;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.jdbc.CurrentConnection;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.jdbc.Timeouts;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.service.Store;
import io.holdfast.token.TokenStore;
import io.holdfast.view.ViewStore;
import io.holdfast.wire.ConsumerGroups;
import io.holdfast.wire.KnownServices;
import jakarta.persistence.EntityManagerFactory;
import java.time.Clock;
import java.util.List;

/**
 * The durable ports of one service in the database of a Hibernate persistence unit. Units run in JPA transactions, and
 * dead letters are entities. {@link JdbcStore} provides everything else, on the same tables and in the same
 * transactions. Handlers with {@code rowsIn(entityManagerFactory)} get an {@code EntityManager} of their unit's
 * transaction.
 *
 * <p>Thread-safe. On PostgreSQL, any number of processes may use the same tables.
 */
public final class JpaStore implements Store, AutoCloseable {

    private final JdbcStore jdbcStore;
    private final DeadLetterStore deadLetterStore;

    private JpaStore(PersistenceUnit unit, JdbcStore joined) {
        this.jdbcStore = joined;
        this.deadLetterStore = new JpaDeadLetterStore(unit.factory(), joined);
    }

    /** Returns the entities that the persistence unit must map in addition to its own. */
    public static List<Class<?>> entities() {
        return PersistenceUnit.ENTITIES;
    }

    /**
     * Builds a store on the caller's persistence unit.
     *
     * @param service the name of the service, which outbox entries carry as their source
     * @param factory the factory of a persistence unit that maps {@link #entities()}, is {@code RESOURCE_LOCAL} and
     *     gets its connections from a {@code DataSource}; the store does not close it
     */
    public static Builder in(String service, EntityManagerFactory factory) {
        return new Builder(service, factory);
    }

    @Override
    public EventLog eventLog() {
        return jdbcStore.eventLog();
    }

    @Override
    public CommitStore commitStore() {
        return jdbcStore.commitStore();
    }

    @Override
    public UnitTransactions unitTransactions() {
        return jdbcStore.unitTransactions();
    }

    @Override
    public ViewStore viewStore() {
        return jdbcStore.viewStore();
    }

    @Override
    public DeadLetterStore deadLetterStore() {
        return deadLetterStore;
    }

    @Override
    public TokenStore tokenStore() {
        return jdbcStore.tokenStore();
    }

    @Override
    public OutboxStore outboxStore() {
        return jdbcStore.outboxStore();
    }

    @Override
    public ConsumerGroups consumerGroups() {
        return jdbcStore.consumerGroups();
    }

    @Override
    public KnownServices knownServices() {
        return jdbcStore.knownServices();
    }

    @Override
    public IdempotencyGuard idempotencyGuard() {
        return jdbcStore.idempotencyGuard();
    }

    @Override
    public ActionStore actionStore() {
        return jdbcStore.actionStore();
    }

    /** Reads with JDBC: an entry has no payload, and only SQL bounds what a list examines. */
    @Override
    public EntryStore entryStore() {
        return jdbcStore.entryStore();
    }

    /** Stops the store's threads. */
    @Override
    public void close() {
        jdbcStore.close();
    }

    /** Configures and opens a store. */
    public static final class Builder {

        private final String service;
        private final EntityManagerFactory factory;
        private Clock clock = Clock.systemUTC();
        private CommitPoint.Observer points = CommitPoint.Observer.NONE;
        private CurrentConnection transactions = CurrentConnection.NONE;
        private Timeouts timeouts = Timeouts.DEFAULT;

        private Builder(String service, EntityManagerFactory factory) {
            this.service = service;
            this.factory = factory;
        }

        /**
         * Sets the clock for outbox entries, and for letters that a reset makes due. Leases use the database's clock.
         */
        public Builder clock(Clock newClock) {
            this.clock = newClock;
            return this;
        }

        /** Sets the observer that is notified before and after every durable write. */
        public Builder points(CommitPoint.Observer observer) {
            this.points = observer;
            return this;
        }

        /** Sets where the outbox finds the caller's transaction, for example {@link JpaTransactions}. */
        public Builder transactions(CurrentConnection current) {
            this.transactions = current;
            return this;
        }

        public Builder timeouts(Timeouts newTimeouts) {
            this.timeouts = newTimeouts;
            return this;
        }

        /**
         * Migrates the schema and opens the store.
         *
         * @throws io.holdfast.RetryableException if the database is not available
         * @throws io.holdfast.PermanentException if the database is neither PostgreSQL nor H2, rejects the user, or
         *     contains the log of another service, or if the persistence unit cannot be used; the message names what to
         *     change
         */
        public JpaStore open() {
            PersistenceUnit unit = PersistenceUnit.of(factory);
            JdbcStore joined = JdbcStore.in(service, unit.dataSource())
                    .clock(clock)
                    .points(points)
                    .transactions(transactions)
                    .timeouts(timeouts)
                    .joining(new JpaJoinedTransactions(unit))
                    .open();
            return new JpaStore(unit, joined);
        }
    }
}
