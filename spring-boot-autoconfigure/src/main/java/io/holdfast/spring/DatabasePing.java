package io.holdfast.spring;

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
 * Asks a database whether it is there, within a bounded time, however long the database takes. On a thread of its own, which
 * nobody interrupts; if it still waits, no other one is begun. For any number of threads.
 */
final class DatabasePing {

    static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final @Nullable DataSource dataSource;
    private @Nullable CompletableFuture<Optional<String>> running;

    /** @param dataSource null if there is no database to ask */
    DatabasePing(@Nullable DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Why it does not answer; empty if it does. */
    Optional<String> failure() {
        if (dataSource == null) {
            return Optional.empty();
        }
        try {
            return ping(dataSource).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.of("the database does not answer within " + TIMEOUT.toSeconds() + " s");
        } catch (ExecutionException e) {
            return Optional.of("the database cannot be asked: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // for the caller, who was interrupted
            return Optional.of("the database was not asked: interrupted");
        }
    }

    private synchronized CompletableFuture<Optional<String>> ping(DataSource asked) {
        CompletableFuture<Optional<String>> current = running;
        if (current == null || current.isDone()) {
            CompletableFuture<Optional<String>> begun = new CompletableFuture<>();
            Thread thread = new Thread(() -> connect(asked, begun), "holdfast-ping");
            thread.setDaemon(true);
            thread.start();
            running = begun;
            return begun;
        }
        return current;
    }

    private static void connect(DataSource asked, CompletableFuture<Optional<String>> answer) {
        try (Connection connection = asked.getConnection()) {
            answer.complete(
                    connection.isValid((int) TIMEOUT.toSeconds())
                            ? Optional.empty()
                            : Optional.of("the database does not answer"));
        } catch (SQLException e) {
            answer.complete(Optional.of("the database cannot be reached: SQL state " + e.getSQLState()));
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }
}
