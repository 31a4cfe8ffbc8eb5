package io.holdfast.jpa;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import jakarta.persistence.OptimisticLockException;
import java.sql.Connection;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session with which the handler of one event writes entities in a unit's transaction. Each event gets its own
 * session on the same connection, because a failed session cannot be used again while the transaction continues. Not
 * thread-safe.
 */
final class HandlerSession {

    private static final Logger LOG = LoggerFactory.getLogger(HandlerSession.class);

    private final BorrowedConnection borrowed;
    private final Session session;
    private final GuardedEntityManager guard;
    private final Session guardedSession;

    HandlerSession(SessionFactory factory, Connection guarded) {
        this.borrowed = new BorrowedConnection(guarded);
        this.session = factory.withOptions().connection(borrowed.connection()).openSession();
        this.session.beginTransaction();
        this.guard = new GuardedEntityManager(session);
        this.guardedSession = guard.session();
    }

    /** @return the session for the handler, which cannot end the transaction with it */
    Session guardedSession() {
        return guardedSession;
    }

    /** Writes the handler's pending changes. The handler cannot use the session afterwards. */
    void flush() {
        if (session.getTransaction().getRollbackOnly()) {
            throw new PermanentException("a handler continued after its EntityManager had failed, or marked its"
                    + " transaction for rollback; its writes are rolled back. Let the exception propagate out of"
                    + " the handler");
        }
        try {
            session.flush();
            session.clear(); // frees memory: the entities are no longer needed
            guard.invalidate();
        } catch (OptimisticLockException e) {
            throw new RetryableException(
                    "an entity that a handler has changed was changed concurrently by another transaction;"
                            + " the handler is called again",
                    e);
        } catch (RuntimeException e) {
            throw PersistenceErrors.of("flushing the entities of a handler", e);
        }
    }

    /**
     * Completes the session, so that its caches and listeners learn the outcome.
     *
     * @param isCommitted whether the transaction was committed; otherwise its writes were rolled back, or their outcome
     *     is unknown
     */
    void complete(boolean isCommitted) {
        guard.invalidate();
        borrowed.detach();
        try (session) {
            session.setHibernateFlushMode(FlushMode.MANUAL);
            if (isCommitted) {
                session.getTransaction().commit();
            } else {
                session.getTransaction().rollback();
            }
        } catch (RuntimeException e) { // from a user's listener; the transaction has already ended
            LOG.warn(
                    "Closing the EntityManager of a handler failed; its transaction was already {}",
                    isCommitted ? "committed" : "rolled back",
                    e);
        }
    }
}
