package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;

/** A database server of one kind, running in a temporary directory until it is closed. */
interface BenchDatabase extends AutoCloseable {

    static BenchDatabase start(String name) {
        return name.equals("h2") ? new H2Files() : new PostgresqlServer();
    }

    String name();

    /** An empty database of its own. */
    HikariDataSource create(String database, int connections);

    /** Says what the server is set to, and how long the smallest commit takes. */
    void printSettings();

    /** Prepares for a measurement, so that one does not pay for another's writes. */
    void settle();

    @Override
    void close();
}
