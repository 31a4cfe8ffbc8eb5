package io.holdfast.spring.health;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a database responds, within a bounded time even if the database hangs. Each check runs on its own
 * thread, which is never interrupted; while one is pending, no other starts. Thread-safe.
 */
final class DatabasePing {

    static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final @Nullable DataSource dataSource;
    private @Nullable CompletableFuture<Optional<String>> running;

    /** @param dataSource the database to check; null if there is none */
    DatabasePing(@Nullable DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Returns why the database does not respond; empty if it does, or if there is none. */
    Optional<String> failure() {
        if (dataSource == null) {
            return Optional.empty();
        }
        try {
            return ping(dataSource).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.of("the database did not respond within " + TIMEOUT.toSeconds() + " s");
        } catch (ExecutionException e) {
            return Optional.of("the database check failed: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // restores the caller's interrupt status
            return Optional.of("the database check was interrupted");
        }
    }

    private synchronized CompletableFuture<Optional<String>> ping(DataSource database) {
        CompletableFuture<Optional<String>> current = running;
        if (current == null || current.isDone()) {
            CompletableFuture<Optional<String>> started = new CompletableFuture<>();
            Thread thread = new Thread(() -> connect(database, started), "holdfast-ping");
            thread.setDaemon(true);
            thread.start();
            running = started;
            return started;
        }
        return current;
    }

    private static void connect(DataSource database, CompletableFuture<Optional<String>> result) {
        try (Connection connection = database.getConnection()) {
            result.complete(
                    connection.isValid((int) TIMEOUT.toSeconds())
                            ? Optional.empty()
                            : Optional.of("the database does not respond"));
        } catch (SQLException e) {
            result.complete(Optional.of("the database is unreachable: SQL state " + e.getSQLState()));
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }
}
