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
 * Transactions for services that have no framework for them: work by an EntityManager that is bound to the thread, and whose
 * transaction the outbox joins. For any number of threads.
 */
public final class JpaTransactions implements CurrentConnection {

    private final EntityManagerFactory factory;

    @SuppressWarnings("ThreadLocalUsage") // one per factory, so that two of them do not share transactions
    private final ThreadLocal<@Nullable EntityManager> current = new ThreadLocal<>();

    private final CommitPoint.Observer points;

    /** @param factory the one that the store is in */
    public JpaTransactions(EntityManagerFactory factory) {
        this(factory, CommitPoint.Observer.NONE);
    }

    /** @param points told before and after every commit */
    public JpaTransactions(EntityManagerFactory factory, CommitPoint.Observer points) {
        this.factory = factory;
        this.points = points;
    }

    /** Runs work in a transaction: committed when it returns, rolled back when it throws. What JPA throws comes as it is. */
    public <T> T run(Function<EntityManager, T> work) {
        if (current.get() != null) {
            throw new PermanentException("this thread is in a transaction already");
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
