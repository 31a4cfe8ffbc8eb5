package io.holdfast.jdbc;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Migrates the schema. Idempotent, and safe for replicas that start concurrently: on PostgreSQL, Flyway locks its
 * history table once it exists. On H2 it takes no lock while the table is missing, but only one process opens an H2
 * file, and migrations within a process run one after another.
 */
final class Migrations {

    static final String HISTORY = "holdfast_schema_history";

    private Migrations() {}

    static synchronized void run(DataSource dataSource, Dialect dialect) {
        migrate(dataSource, dialect);
    }

    /**
     * Migrates as concurrent processes do, which do not wait for each other. One may create the history after another
     * has found none, and the other then fails. On its second attempt the history exists and can be locked.
     */
    static void migrate(DataSource dataSource, Dialect dialect) {
        Flyway flyway = Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(dataSource)
                .locations(dialect.migrations())
                .table(HISTORY)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load();
        try {
            flyway.migrate();
        } catch (FlywayException first) {
            migrateAgain(flyway, first);
        }
    }

    private static void migrateAgain(Flyway flyway, FlywayException first) {
        try {
            flyway.migrate();
        } catch (FlywayException e) {
            e.addSuppressed(first);
            throw failed(e);
        }
    }

    private static HoldfastException failed(FlywayException e) {
        String what = "migrating the Holdfast tables";
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return SqlErrors.of(what, sql);
            }
        }
        return new PermanentException(what + " failed; see table " + HISTORY, e);
    }
}
