package io.holdfast.jpa;

import io.holdfast.jdbc.JoinedTransaction;
import io.holdfast.jdbc.JoinedTransactions;
import java.sql.Connection;
import org.hibernate.Session;

/** Begins JPA transactions for units. */
final class JpaJoinedTransactions implements JoinedTransactions {

    private final PersistenceUnit unit;

    JpaJoinedTransactions(PersistenceUnit unit) {
        this.unit = unit;
    }

    @Override
    public boolean isBackedBy(Object resource) {
        return unit.isBackedBy(resource);
    }

    @Override
    public JoinedTransaction begin(Connection connection) {
        Session session = unit.factory().withOptions().connection(connection).openSession();
        try {
            session.beginTransaction();
            return new JpaJoinedTransaction(unit.factory(), session, connection);
        } catch (RuntimeException e) {
            session.close();
            throw PersistenceErrors.of("opening a JPA transaction", e);
        }
    }
}
