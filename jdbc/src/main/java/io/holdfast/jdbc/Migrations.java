package io.holdfast.jdbc;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Brings the schema up to date. Safe to run twice, and by two replicas at once: on PostgreSQL Flyway locks its history once there is one. On
 * H2 it does not while there is none yet, but an H2 file has one process, and within one the migrations follow one another.
 */
final class Migrations {

    static final String HISTORY = "holdfast_schema_history";

    private Migrations() {}

    static synchronized void run(DataSource dataSource, Dialect dialect) {
        migrate(dataSource, dialect);
    }

    /**
     * As processes do it, which do not wait for each other: one may make the history after another has found none, and
     * then the other fails. It is there at the second try, and can be locked.
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
        String what = "bringing the tables of Holdfast up to date";
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return SqlErrors.of(what, sql);
            }
        }
        return new PermanentException(what + " failed; see table " + HISTORY, e);
    }
}
