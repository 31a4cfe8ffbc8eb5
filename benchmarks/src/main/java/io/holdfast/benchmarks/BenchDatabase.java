package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.util.Locale;

/** A database server in a temporary directory, which {@link #close} deletes. */
interface BenchDatabase extends AutoCloseable {

    String name();

    /** Creates an empty database. */
    HikariDataSource create(String database, int connections);

    /** Prints the server's settings and the duration of the smallest commit. */
    void printSettings();

    /** Flushes pending writes, so that one measurement does not pay for another's. */
    void settle();

    @Override
    void close();

    enum Kind {
        POSTGRESQL,
        H2;

        BenchDatabase start() {
            return switch (this) {
                case POSTGRESQL -> new PostgresqlServer();
                case H2 -> new H2Files();
            };
        }

        /** Returns the name on the command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
