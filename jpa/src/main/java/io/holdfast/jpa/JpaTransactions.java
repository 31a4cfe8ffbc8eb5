package io.holdfast.jpa;

import io.holdfast.PermanentException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.jdbc.CurrentConnection;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.util.Optional;
import java.util.function.Function;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;

/**
 * Transactions for services without a transaction framework. Work runs with an EntityManager that is bound to the
 * thread, and the outbox joins its transaction. Thread-safe.
 */
public final class JpaTransactions implements CurrentConnection {

    private final EntityManagerFactory factory;

    @SuppressWarnings("ThreadLocalUsage") // one per factory, so that two of them do not share transactions
    private final ThreadLocal<@Nullable EntityManager> current = new ThreadLocal<>();

    private final CommitPoint.Observer points;

    /** @param factory the store's factory */
    public JpaTransactions(EntityManagerFactory factory) {
        this(factory, CommitPoint.Observer.NONE);
    }

    /** @param points notified before and after every commit */
    public JpaTransactions(EntityManagerFactory factory, CommitPoint.Observer points) {
        this.factory = factory;
        this.points = points;
    }

    /**
     * Runs work in a transaction. Commits when it returns, rolls back when it throws. JPA's exceptions are not wrapped.
     */
    public <T> T run(Function<EntityManager, T> work) {
        if (current.get() != null) {
            throw new PermanentException("this thread is already in a transaction");
        }
        try (EntityManager entities = factory.createEntityManager()) {
            entities.getTransaction().begin();
            current.set(entities);
            try {
                T result = work.apply(entities);
                points.pass(CommitPoint.OUTBOX_COMMIT, () -> entities.getTransaction()
                        .commit());
                return result;
            } finally {
                current.remove();
                if (entities.getTransaction().isActive()) {
                    entities.getTransaction().rollback();
                }
            }
        }
    }

    @Override
    public Optional<Connection> find() {
        return Optional.ofNullable(current.get())
                .map(entities -> entities.unwrap(Session.class).doReturningWork(connection -> connection));
    }
}
