package io.holdfast.jpa;

import io.holdfast.jdbc.JoinedTransaction;
import io.holdfast.jdbc.JoinedTransactions;
import org.hibernate.Session;

/** Transactions of JPA for units. */
final class JpaUnits implements JoinedTransactions {

    private final PersistenceUnit unit;

    JpaUnits(PersistenceUnit unit) {
        this.unit = unit;
    }

    @Override
    public boolean isIn(Object resource) {
        return unit.isIn(resource);
    }

    @Override
    public JoinedTransaction begin() {
        Session session = unit.factory().openSession();
        try {
            session.beginTransaction();
            return new JpaUnit(unit.factory(), session, session.doReturningWork(connection -> connection));
        } catch (RuntimeException e) {
            session.close();
            throw PersistenceErrors.of("opening a transaction of JPA", e);
        }
    }
}
