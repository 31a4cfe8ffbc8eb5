package io.holdfast.jdbc;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Brings the schema up to date. Safe to run twice, and by two replicas at once: Flyway locks its history. */
final class Migrations {

    static final String HISTORY = "holdfast_schema_history";

    private Migrations() {}

    static void run(DataSource dataSource, Dialect dialect) {
        Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(dataSource)
                .locations(dialect.migrations())
                .table(HISTORY)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
    }
}
