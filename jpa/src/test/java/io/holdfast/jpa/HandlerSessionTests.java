package io.holdfast.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.commit.CommitSession;
import io.holdfast.commit.UnitTransaction;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The EntityManager of a handler is valid for one event, and is notified of the outcome of its transaction. */
@ParameterizedClass
@EnumSource(Product.class)
class HandlerSessionTests {

    private final TestPersistenceUnit unit;
    private final JpaStore store;
    private final List<String> callbacks = new ArrayList<>();

    HandlerSessionTests(Product product) {
        this.unit = TestPersistenceUnit.acquire(product);
        this.store = JpaStore.in("kit", unit.factory()).open();
    }

    @AfterEach
    void close() {
        store.close();
        unit.release();
    }

    @Test
    void learnsTheOutcomeOfItsOwnEvent() {
        try (UnitTransaction transaction = store.unitTransactions().begin()) {
            write(transaction, "kept");
            transaction.savepoint();
            write(transaction, "rolled back");
            transaction.rollbackToSavepoint();
            assertThat(callbacks).containsExactly("rolled back " + Status.STATUS_ROLLEDBACK + " []");
            write(transaction, "last");
            commit(transaction);
        }

        assertThat(callbacks)
                .containsExactlyInAnyOrder(
                        "rolled back " + Status.STATUS_ROLLEDBACK + " []",
                        "kept " + Status.STATUS_COMMITTED + " [kept, last]",
                        "last " + Status.STATUS_COMMITTED + " [kept, last]");
    }

    @Test
    void learnsThatItsTransactionWasRolledBack() {
        try (UnitTransaction transaction = store.unitTransactions().begin()) {
            write(transaction, "one");
            transaction.savepoint();
        }

        assertThat(callbacks).containsExactly("one " + Status.STATUS_ROLLEDBACK + " []");
    }

    @Test
    void cannotBeUsedForTheNextEvent() {
        try (UnitTransaction transaction = store.unitTransactions().begin()) {
            EntityManager first = transaction.resource(EntityManager.class);
            transaction.savepoint();

            assertThatIllegalStateException()
                    .isThrownBy(() -> first.persist(new ApplicationRow("late")))
                    .withMessage(
                            "persist was called on the EntityManager of an event that was already handled; get a new"
                                    + " one from the context of each event");
        }
    }

    /** Letters cost statements; a unit without letters has none. */
    @Test
    void unitWithoutLettersExecutesNoJpaStatement() {
        try (EntityManagerFactory counting = unit.configuration()
                        .property(AvailableSettings.GENERATE_STATISTICS, true)
                        .createEntityManagerFactory();
                JpaStore counted = JpaStore.in("kit", counting).open()) {
            try (UnitTransaction transaction = counted.unitTransactions().begin()) {
                commit(transaction);
            }

            assertThat(counting.unwrap(SessionFactory.class).getStatistics().getPrepareStatementCount())
                    .isZero();
        }
    }

    private static void commit(UnitTransaction transaction) {
        try (CommitSession session = transaction.session()) {
            session.lockHead();
            assertThat(session.write(List.of())).isEmpty();
            session.commit();
        }
    }

    private void write(UnitTransaction transaction, String text) {
        EntityManager entities = transaction.resource(EntityManager.class);
        entities.persist(new ApplicationRow(text));
        entities.unwrap(Session.class).getTransaction().registerSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {}

            @Override
            public void afterCompletion(int status) {
                callbacks.add(
                        text + " " + status + " " + unit.query("select content from handler_row order by number"));
            }
        });
    }
}
