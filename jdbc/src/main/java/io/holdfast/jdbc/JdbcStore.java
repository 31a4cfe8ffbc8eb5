package io.holdfast.jdbc;

import io.holdfast.action.ActionStore;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.event.EventLog;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.service.Store;
import io.holdfast.token.TokenStore;
import io.holdfast.view.ViewStore;
import io.holdfast.wire.ConsumerGroups;
import io.holdfast.wire.KnownServices;
import java.sql.Connection;
import java.time.Clock;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The durable ports of one service in PostgreSQL or H2. An acknowledged commit is as durable as the database:
 * PostgreSQL flushes to disk at commit; H2 with {@code WRITE_DELAY=0} survives a crash of the process, not a power
 * loss.
 *
 * <p>Thread-safe. On PostgreSQL, any number of processes may use the same tables.
 */
public final class JdbcStore implements Store, AutoCloseable {

    private final Connections connections;
    private final Database database;
    private final JdbcEventLog eventLog;
    private final CommitStore commitStore;
    private final JdbcUnitTransactions unitTransactions;
    private final ViewStore viewStore;
    private final DeadLetterStore deadLetterStore;
    private final TokenStore tokenStore;
    private final OutboxStore outboxStore;
    private final ConsumerGroups consumerGroups;
    private final KnownServices knownServices;
    private final IdempotencyGuard idempotencyGuard;
    private final ActionStore actionStore;
    private final EntryStore entryStore;

    private JdbcStore(Builder builder, Connections connections, Database database) {
        this.connections = connections;
        this.database = database;
        this.eventLog = new JdbcEventLog(database);
        EngineTransactions units = new EngineTransactions(
                database, builder.joined == null ? new PlainTransactions(database.dialect()) : builder.joined);
        this.commitStore = new JdbcCommitStore(database, units, eventLog, builder.points);
        this.unitTransactions = new JdbcUnitTransactions(database, units, eventLog, builder.points);
        this.viewStore = new JdbcViewStore(database);
        this.deadLetterStore = new JdbcDeadLetterStore(database, units, builder.points);
        this.tokenStore = new JdbcTokenStore(database, builder.clock, builder.points);
        this.outboxStore = new JdbcOutboxStore(
                builder.service,
                database,
                eventLog.identity().id(),
                () -> unitTransactions.find().or(builder.transactions::find),
                builder.clock,
                builder.points);
        this.consumerGroups = new JdbcConsumerGroups(database, builder.points);
        this.knownServices = new JdbcKnownServices(database, builder.points);
        this.idempotencyGuard = new JdbcIdempotencyGuard(database, builder.points);
        this.actionStore = new JdbcActionStore(database, builder.points);
        this.entryStore = new JdbcEntryStore(database);
    }

    /**
     * Builds a store on the caller's connection pool.
     *
     * @param service the name of the service that owns the tables
     * @param dataSource a pool; the store takes one connection for the committer and one for each concurrent call, and
     *     does not close it
     */
    public static Builder in(String service, DataSource dataSource) {
        return new Builder(service, timeouts -> Connections.of(dataSource));
    }

    /**
     * Builds a store that opens and closes a connection pool of its own. For services whose own transactions do not
     * write to the outbox; all others share their {@link DataSource} with the store.
     *
     * @param service the name of the service that owns the tables; also names the pool
     */
    public static Builder in(String service, PoolSettings settings) {
        return new Builder(service, timeouts -> Connections.pool(service, settings, timeouts));
    }

    @Override
    public EventLog eventLog() {
        return eventLog;
    }

    @Override
    public CommitStore commitStore() {
        return commitStore;
    }

    @Override
    public UnitTransactions unitTransactions() {
        return unitTransactions;
    }

    @Override
    public ViewStore viewStore() {
        return viewStore;
    }

    @Override
    public DeadLetterStore deadLetterStore() {
        return deadLetterStore;
    }

    @Override
    public TokenStore tokenStore() {
        return tokenStore;
    }

    @Override
    public OutboxStore outboxStore() {
        return outboxStore;
    }

    @Override
    public ConsumerGroups consumerGroups() {
        return consumerGroups;
    }

    @Override
    public KnownServices knownServices() {
        return knownServices;
    }

    @Override
    public IdempotencyGuard idempotencyGuard() {
        return idempotencyGuard;
    }

    @Override
    public ActionStore actionStore() {
        return actionStore;
    }

    @Override
    public EntryStore entryStore() {
        return entryStore;
    }

    /**
     * Runs a read of an adapter that {@linkplain Builder#joining joins} the store, as the store runs its own reads: on
     * one of its connections and, on H2, on a thread that is never interrupted.
     *
     * @param what the attempted action, for error messages
     */
    public <T> T read(String what, Function<Connection, T> read) {
        return database.read(what, read::apply);
    }

    /** Stops the store's threads, and closes the pool if the store has opened it. */
    @Override
    public void close() {
        database.close();
        connections.close().run();
    }

    /** Configures and opens a store. */
    public static final class Builder {

        private final String service;
        private final Function<Timeouts, Connections> connections;
        private Clock clock = Clock.systemUTC();
        private CommitPoint.Observer points = CommitPoint.Observer.NONE;
        private CurrentConnection transactions = CurrentConnection.NONE;
        private Timeouts timeouts = Timeouts.DEFAULT;
        private @Nullable JoinedTransactions joined;

        private Builder(String service, Function<Timeouts, Connections> connections) {
            this.service = service;
            this.connections = connections;
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

        /** Sets where the outbox finds the caller's transaction. */
        public Builder transactions(CurrentConnection current) {
            this.transactions = current;
            return this;
        }

        /** Runs units in transactions of another technology, on the same connections. */
        public Builder joining(JoinedTransactions newTransactions) {
            this.joined = newTransactions;
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
         *     contains the log of another service
         */
        public JdbcStore open() {
            Connections opened = connections.apply(timeouts);
            try {
                return openWith(opened);
            } catch (RuntimeException | Error e) {
                opened.close().run();
                throw e;
            }
        }

        private JdbcStore openWith(Connections opened) {
            ConnectionTraits traits = ConnectionTraits.of(opened.dataSource(), timeouts.network());
            EngineConnections connections = new EngineConnections(opened.dataSource(), traits, timeouts);
            connections.requireEnough(service);
            connections.warnIfUnbounded(service);
            Migrations.run(opened.migrations(), traits.dialect());
            if (traits.dialect() == Dialect.H2) {
                H2ReusedResults.disable(opened.dataSource());
            }
            Database database = new Database(connections, timeouts);
            try {
                LogOwner.claim(database, service);
                return new JdbcStore(this, opened, database);
            } catch (RuntimeException | Error e) {
                database.close();
                throw e;
            }
        }
    }
}
