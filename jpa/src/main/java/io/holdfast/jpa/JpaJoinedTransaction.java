package io.holdfast.jpa;

import io.holdfast.jdbc.JoinedTransaction;
import io.holdfast.jdbc.LetterTables;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of a session that writes letters. Handlers get other sessions on its connection, one per event, so
 * that a failure there does not mark this session for rollback.
 */
final class JpaJoinedTransaction implements JoinedTransaction {

    private final SessionFactory factory;
    private final Session session;
    private final Connection connection;
    private final LetterTables letters;
    private final List<HandlerSession> flushed = new ArrayList<>();
    private @Nullable HandlerSession current;
    private boolean isCommitted;

    /** @param session a session with an open transaction on the connection */
    JpaJoinedTransaction(SessionFactory factory, Session session, Connection connection) {
        this.factory = factory;
        this.session = session;
        this.connection = connection;
        this.letters = new JpaLetterTables(session);
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public LetterTables letters() {
        return letters;
    }

    @Override
    public Set<Class<?>> resourceTypes() {
        return Set.of(EntityManager.class, Session.class);
    }

    @Override
    public <T> T resource(Class<T> type, Connection guarded) {
        HandlerSession opened = current == null ? new HandlerSession(factory, guarded) : current;
        current = opened;
        return type.cast(opened.guardedSession());
    }

    @Override
    public void flush() {
        HandlerSession ending = current;
        if (ending != null) {
            ending.flush();
            flushed.add(ending);
            current = null;
        }
    }

    @Override
    public void afterRollbackToSavepoint() {
        rollbackCurrent();
    }

    @Override
    public void commit() throws SQLException {
        try {
            session.getTransaction().commit();
        } catch (RuntimeException e) {
            throw PersistenceErrors.sql(e);
        }
        isCommitted = true;
        completeHandlerSessions();
    }

    @Override
    public void rollback() {
        try {
            if (session.isOpen() && session.getTransaction().isActive()) {
                session.getTransaction().rollback();
            }
        } catch (RuntimeException e) {
            // The connection is lost, and its transaction with it.
        }
    }

    @Override
    public void close() {
        rollback();
        completeHandlerSessions();
        try {
            session.close();
        } catch (RuntimeException e) {
            // Its locks end with the connection.
        }
    }

    private void completeHandlerSessions() {
        rollbackCurrent();
        flushed.forEach(session -> session.complete(isCommitted));
        flushed.clear();
    }

    /** Completes the current session, none of whose writes are in the transaction. */
    private void rollbackCurrent() {
        HandlerSession ended = current;
        current = null;
        if (ended != null) {
            ended.complete(false);
        }
    }
}
