package io.holdfast.jpa;

import io.holdfast.commit.UnitTransaction;
import io.holdfast.tck.HandlerRows;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;

/** Entities of a handler beside those of the store. */
record JpaHandlerRows(TestUnit unit) implements HandlerRows {

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
        transaction.resource(EntityManager.class).persist(new HandlerRow(text));
    }

    @Override
    public void fail(UnitTransaction transaction) {
        EntityManager entities = transaction.resource(EntityManager.class);
        entities.persist(new HandlerRow("x".repeat(300)));
        entities.flush();
        throw new AssertionError("the database takes what is too long for its column");
    }

    @Override
    public List<String> read() {
        try (EntityManager entities = unit.factory().createEntityManager()) {
            return entities
                    .createQuery("from HandlerRow r order by r.number", HandlerRow.class)
                    .getResultList()
                    .stream()
                    .map(HandlerRow::content)
                    .toList();
        }
    }

    @Override
    public Map<String, Runnable> forbidden(UnitTransaction transaction) {
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
