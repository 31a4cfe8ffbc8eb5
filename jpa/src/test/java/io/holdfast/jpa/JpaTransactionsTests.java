package io.holdfast.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.handling.Component;
import io.holdfast.jpa.Bookings.Placed;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.tck.harness.StoredSequences;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import org.hibernate.cfg.AvailableSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A service's own transactions. docs/guides/postgresql-and-h2.md quotes this class, and a test compares them. */
@ParameterizedClass
@EnumSource(Product.class)
class JpaTransactionsTests {

    private final TestPersistenceUnit unit;
    private final JpaTransactions transactions;
    private final JpaStore store;
    private final NewEvent taken = new NewEvent(new PayloadCodec().encode(new Placed(1)), Metadata.none());

    JpaTransactionsTests(Product product) {
        this.unit = TestPersistenceUnit.acquire(product);
        this.transactions = new JpaTransactions(unit.factory());
        this.store =
                JpaStore.in("seats", unit.factory()).transactions(transactions).open();
    }

    @AfterEach
    void close() {
        store.close();
        unit.release();
    }

    @Test
    void entitiesAndOutboxEntriesCommitTogether() {
        transactions.run(entities -> {
            entities.persist(new Seat("a-1", 1));
            return store.outboxStore().write("seats", "a-1", taken);
        });

        assertThat(unit.query("select name from seat")).containsExactly("a-1");
        assertThat(store.outboxStore().countUnpositioned()).isEqualTo(1);
    }

    @Test
    void rollsBackEverythingOnAnException() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> transactions.run(entities -> {
                    entities.persist(new Seat("a-1", 1));
                    store.outboxStore().write("seats", "a-1", taken);
                    throw new IllegalStateException("rejected");
                }));

        assertThat(unit.query("select name from seat")).isEmpty();
        assertThat(store.outboxStore().countUnpositioned()).isZero();
    }

    @Test
    void rejectsANestedTransaction() {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> transactions.run(outer -> transactions.run(inner -> true)))
                .withMessage("this thread is already in a transaction");
    }

    @Test
    void serviceIsBuiltAsInTheGuide() {
        PersistenceConfiguration configuration = new PersistenceConfiguration("seats")
                .managedClass(Seat.class)
                .property(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, unit.dataSource());
        JpaStore.entities().forEach(configuration::managedClass);

        try (EntityManagerFactory factory = configuration.createEntityManagerFactory();
                JpaStore opened = JpaStore.in("seats", factory).open();
                HoldfastService seats = HoldfastService.named("seats", opened, new InMemoryWire())
                        .owns("orders")
                        .processor("seats", processor -> processor
                                .reads("orders")
                                .calls(Component.named("taker")
                                        .on(Placed.class, (order, context) -> context.resource(EntityManager.class)
                                                .persist(
                                                        new Seat(context.event().key(), 1)))
                                        .rowsIn(factory)
                                        .build()))
                        .start()) {
            assertThat(StoredSequences.findAll(seats.deadLetters(), "seats")).isEmpty();
        }
    }
}
