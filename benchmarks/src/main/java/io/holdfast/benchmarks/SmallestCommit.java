package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Measures a commit that updates a single small row. */
final class SmallestCommit {

    private static final int WARM_UP = 100;
    private static final int MEASURED = 100;

    private SmallestCommit() {}

    /** @return the median in milliseconds, with one caller */
    static double measure(BenchDatabase database) {
        try (HikariDataSource pool = database.create("smallest", 1);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table smallest (number integer)");
            statement.execute("insert into smallest values (0)");
            double[] times = new double[MEASURED];
            for (int i = -WARM_UP; i < MEASURED; i++) {
                long start = System.nanoTime();
                statement.execute("update smallest set number = number + 1");
                if (i >= 0) {
                    times[i] = (System.nanoTime() - start) / 1e6;
                }
            }
            return Report.median(times);
        } catch (SQLException e) {
            throw Failures.of("measuring a commit", e);
        }
    }
}
