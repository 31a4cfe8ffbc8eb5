package io.holdfast.jpa;

import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.deadletter.DeadLetterStore;
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
import jakarta.persistence.EntityManagerFactory;
import java.time.Clock;
import java.util.List;

/**
 * The durable ports of one service in the database of a persistence unit of Hibernate: units run in JPA's transactions, dead
 * letters are entities, all else is {@link JdbcStore}'s, on the same tables and in the same transactions. Handlers with
 * {@code rowsIn(entityManagerFactory)} get an {@code EntityManager} of their unit's transaction.
 *
 * <p>For any number of threads, and on PostgreSQL for any number of processes.
 */
public final class JpaStore implements Store, AutoCloseable {

    private final JdbcStore jdbcStore;
    private final DeadLetterStore deadLetterStore;

    private JpaStore(PersistenceUnit unit, JdbcStore joined) {
        this.jdbcStore = joined;
        this.deadLetterStore = new JpaDeadLetterStore(unit.factory(), joined);
    }

    /** The entities that the persistence unit must have beside its own. */
    public static List<Class<?>> entities() {
        return PersistenceUnit.ENTITIES;
    }

    /**
     * @param service the name that outbox entries carry as their source
     * @param factory of a persistence unit that has {@link #entities()}, is {@code RESOURCE_LOCAL} and takes its connections
     *     from a {@code DataSource}; the store does not close it
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
    public IdempotencyGuard idempotencyGuard() {
        return jdbcStore.idempotencyGuard();
    }

    /** Ends the store's own threads. */
    @Override
    public void close() {
        jdbcStore.close();
    }

    /** Says how the store is to be opened. */
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

        /** Stamps outbox entries, and letters that a reset makes due. Leases are measured by the database's clock. */
        public Builder clock(Clock newClock) {
            this.clock = newClock;
            return this;
        }

        /** Told before and after every durable write. */
        public Builder points(CommitPoint.Observer observer) {
            this.points = observer;
            return this;
        }

        /** Where the outbox finds the caller's transaction, for example {@link JpaTransactions}. */
        public Builder transactions(CurrentConnection current) {
            this.transactions = current;
            return this;
        }

        public Builder timeouts(Timeouts newTimeouts) {
            this.timeouts = newTimeouts;
            return this;
        }

        /**
         * Brings the schema up to date and opens the store.
         *
         * @throws io.holdfast.RetryableException if the database is not there
         * @throws io.holdfast.PermanentException if it is neither PostgreSQL nor H2, does not let the user in, or if the
         *     persistence unit cannot be used, saying what to change
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
