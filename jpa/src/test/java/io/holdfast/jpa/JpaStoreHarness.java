package io.holdfast.jpa;

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

/** A store in a persistence unit on a real database. To let time pass, the harness backdates leases and ttls. */
final class JpaStoreHarness implements StoreHarness {

    private static final Map<Capability, String> MISSING =
            Map.of(Capability.NETWORK, "JPA uses the connections of JdbcStore, whose tests cut them");

    private final ManualClock clock = new ManualClock();
    private final CrashPoints crashPoints = new CrashPoints();
    private final TestPersistenceUnit unit;
    private final JpaTransactions transactions;
    private final JpaStore store;
    private @Nullable JpaStore replica;

    private JpaStoreHarness(Product product) {
        this.unit = TestPersistenceUnit.acquire(product);
        this.transactions = new JpaTransactions(unit.factory(), crashPoints);
        this.store = open();
    }

    static JpaStoreHarness postgresql() {
        return new JpaStoreHarness(Product.POSTGRESQL);
    }

    static JpaStoreHarness h2() {
        return new JpaStoreHarness(Product.H2);
    }

    private JpaStore open() {
        return JpaStore.in(SERVICE, unit.factory())
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
        JpaStore other = replica == null ? open() : replica;
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
        unit.backdate("holdfast_token", "lease_end", difference);
        unit.backdate("holdfast_replica", "lease_end", difference);
        unit.backdate("holdfast_idempotency", "valid_until", difference);
        unit.backdate("holdfast_consumer_group", "reported_at", difference);
        unit.backdate("holdfast_known_service", "first_seen", difference);
        unit.backdate("holdfast_known_service", "last_seen", difference);
        unit.backdate("holdfast_action", "requested_at", difference);
        unit.backdate("holdfast_action", "deadline", difference);
        unit.backdate("holdfast_resolved_letter", "resolved_at", difference);
    }

    @Override
    public void inTransaction(Runnable work) {
        transactions.run(entities -> {
            work.run();
            return true;
        });
    }

    @Override
    public Runnable backUp() {
        return TableBackup.of(unit.dataSource())::restore;
    }

    @Override
    public ApplicationRows applicationRows() {
        return new JpaApplicationRows(unit);
    }

    @Override
    public NetworkedStore openBehindNetwork() {
        throw new UnsupportedOperationException(MISSING.get(Capability.NETWORK));
    }

    @Override
    public ForeignTransaction beginForeignTransaction(String lockedRow) {
        LongTransaction opened = LongTransaction.begin(
                unit.dataSource(),
                "select count(*) from holdfast_event",
                "select * from handler_row where content = '" + lockedRow + "' for update");
        return opened::close;
    }

    @Override
    public Map<Capability, String> missingCapabilities() {
        return MISSING;
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
        unit.release();
    }
}
