package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;

/** A database server in a temporary directory, which {@link #close} deletes. */
interface BenchDatabase extends AutoCloseable {

    static BenchDatabase start(String name) {
        return name.equals("h2") ? new H2Files() : new PostgresqlServer();
    }

    String name();

    /** Creates an empty database. */
    HikariDataSource create(String database, int connections);

    /** Prints the server's settings and the duration of the smallest commit. */
    void printSettings();

    /** Flushes pending writes, so that one measurement does not pay for another's. */
    void settle();

    @Override
    void close();
}
