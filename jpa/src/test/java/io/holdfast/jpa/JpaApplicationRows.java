package io.holdfast.jpa;

import io.holdfast.commit.UnitTransaction;
import io.holdfast.tck.harness.ApplicationRows;
import io.holdfast.testsupport.TransactionLoss;
import jakarta.persistence.EntityManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;

/** Entities of a handler, next to the store's. */
record JpaApplicationRows(TestPersistenceUnit unit) implements ApplicationRows {

    @Override
    public Object resource() {
        return unit.factory();
    }

    @Override
    public Class<?> resourceType() {
        return EntityManager.class;
    }

    @Override
    public void write(UnitTransaction transaction, String text) {
        transaction.resource(EntityManager.class).persist(new ApplicationRow(text));
    }

    @Override
    public void overwrite(UnitTransaction transaction, String text, String newText) {
        EntityManager entities = transaction.resource(EntityManager.class);
        entities.createQuery("from ApplicationRow r where r.content = :text", ApplicationRow.class)
                .setParameter("text", text)
                .getResultList()
                .forEach(row -> row.overwrite(newText));
    }

    @Override
    public void writeInvalid(UnitTransaction transaction) {
        EntityManager entities = transaction.resource(EntityManager.class);
        entities.persist(new ApplicationRow("x".repeat(300)));
        entities.flush();
        throw new AssertionError("the database accepted a value that is too long for its column");
    }

    @Override
    public void lose(UnitTransaction transaction) {
        EntityManager entities = transaction.resource(EntityManager.class);
        entities.unwrap(Session.class).doWork(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(TransactionLoss.prepare(unit.dataSource()));
            }
        });
        throw new AssertionError("the database did not end the transaction");
    }

    @Override
    public List<String> read() {
        try (EntityManager entities = unit.factory().createEntityManager()) {
            return entities
                    .createQuery("from ApplicationRow r order by r.number", ApplicationRow.class)
                    .getResultList()
                    .stream()
                    .map(ApplicationRow::content)
                    .toList();
        }
    }

    @Override
    public Map<String, Runnable> forbiddenCalls(UnitTransaction transaction) {
        EntityManager given = transaction.resource(EntityManager.class);
        Session session = given.unwrap(Session.class);
        return Map.of(
                "commit", () -> given.getTransaction().commit(),
                "rollback", () -> given.getTransaction().rollback(),
                "begin", () -> given.getTransaction().begin(),
                "close", given::close,
                "commit of the session", () -> session.getTransaction().commit(),
                "begin of the session", session::beginTransaction,
                "close of the session", session::close,
                "commit of the connection", () -> session.doWork(connection -> connection.commit()),
                "rollback of the connection", () -> session.doWork(connection -> connection.rollback()));
    }
}
