package io.holdfast.jdbc;

import io.holdfast.fixture.ManualClock;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.ApplicationRows;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.ForeignTransaction;
import io.holdfast.tck.harness.NetworkedStore;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.testsupport.LongTransaction;
import io.holdfast.testsupport.TableBackup;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A store in a real database. To let time pass, the harness backdates leases and ttls. */
final class JdbcStoreHarness implements StoreHarness {

    private final ManualClock clock = new ManualClock();
    private final CrashPoints crashPoints = new CrashPoints();
    private final Dialect dialect;
    private final TestDatabase database;
    private final JdbcTransactions transactions;
    private final JdbcStore store;
    private @Nullable JdbcStore replica;

    private JdbcStoreHarness(Dialect dialect) {
        this.dialect = dialect;
        this.database = TestDatabase.acquire(dialect);
        this.transactions = new JdbcTransactions(database.dataSource(), crashPoints);
        this.store = open();
    }

    static JdbcStoreHarness postgresql() {
        return new JdbcStoreHarness(Dialect.POSTGRESQL);
    }

    static JdbcStoreHarness h2() {
        return new JdbcStoreHarness(Dialect.H2);
    }

    private JdbcStore open() {
        return JdbcStore.in(SERVICE, database.dataSource())
                .clock(clock)
                .points(crashPoints)
                .transactions(transactions)
                .open();
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store replica() {
        JdbcStore other = replica == null ? open() : replica;
        replica = other;
        return other;
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public void passTime(Duration time) {
        clock.advance(time);
        setStoreClock(time);
    }

    /** A database's clock cannot be set from here: all times that it has stored move the other way instead. */
    @Override
    public void setStoreClock(Duration difference) {
        database.backdate("holdfast_token", "lease_end", difference);
        database.backdate("holdfast_replica", "lease_end", difference);
        database.backdate("holdfast_idempotency", "valid_until", difference);
        database.backdate("holdfast_consumer_group", "reported_at", difference);
        database.backdate("holdfast_known_service", "first_seen", difference);
        database.backdate("holdfast_known_service", "last_seen", difference);
        database.backdate("holdfast_action", "requested_at", difference);
        database.backdate("holdfast_action", "deadline", difference);
        database.backdate("holdfast_resolved_letter", "resolved_at", difference);
    }

    @Override
    public void inTransaction(Runnable work) {
        transactions.run(connection -> {
            work.run();
            return true;
        });
    }

    @Override
    public Runnable backUp() {
        return TableBackup.of(database.dataSource())::restore;
    }

    @Override
    public ApplicationRows applicationRows() {
        return new JdbcApplicationRows(database.dataSource());
    }

    @Override
    public NetworkedStore openBehindNetwork() {
        return new JdbcNetworkedStore(database.url(), clock, crashPoints);
    }

    @Override
    public ForeignTransaction beginForeignTransaction(String lockedRow) {
        LongTransaction opened = LongTransaction.begin(
                database.dataSource(),
                "select count(*) from holdfast_event",
                "select * from " + JdbcApplicationRows.TABLE + " where content = '" + lockedRow + "' for update");
        return opened::close;
    }

    @Override
    public Map<Capability, String> missingCapabilities() {
        return dialect == Dialect.H2
                ? Map.of(Capability.NETWORK, "H2 runs in the process of the service, without a network")
                : Map.of();
    }

    @Override
    public CrashPoints crashPoints() {
        return crashPoints;
    }

    @Override
    public void close() {
        crashPoints.clear();
        store.close();
        if (replica != null) {
            replica.close();
        }
        database.release();
    }
}
