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
 * What the handler of one event writes entities by in a unit's transaction: a session of its own on that connection, since one
 * that has failed cannot be used again, while the transaction goes on. For one thread.
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

    /** For the handler, who cannot end its transaction. */
    Session guardedSession() {
        return guardedSession;
    }

    /** Writes what the handler has left to be written later. It is of no further use to the handler. */
    void flush() {
        if (session.getTransaction().getRollbackOnly()) {
            throw new PermanentException("a handler has gone on after its EntityManager had failed, or has marked its"
                    + " transaction for rollback; what it wrote is undone. Let the exception out of the handler");
        }
        try {
            session.flush();
            session.clear(); // whoever waits for the commit needs none of it
            guard.invalidate();
        } catch (OptimisticLockException e) {
            throw new RetryableException(
                    "somebody else has changed an entity that a handler has changed too; the"
                            + " handler is called again",
                    e);
        } catch (RuntimeException e) {
            throw PersistenceErrors.of("writing entities that a handler has left to be written", e);
        }
    }

    /**
     * Ends the session, so that its caches and listeners know.
     *
     * @param isCommitted whether the transaction is; otherwise what the session wrote is undone, or may be
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
        } catch (RuntimeException e) { // a listener of the user's; the transaction has ended whatever it says
            LOG.warn(
                    "the end of a handler's EntityManager failed; its transaction was {}",
                    isCommitted ? "committed" : "undone",
                    e);
        }
    }
}
