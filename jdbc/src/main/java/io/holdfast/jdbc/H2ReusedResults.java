package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops H2 from returning the last result of a query again. H2 does so if no table of the query has changed since, but it
 * records a change only after the commit has been written to the file, while other connections see the commit earlier. A
 * reader that finds a new head in between, and repeats its query for events, would get the old result without them.
 */
final class H2ReusedResults {

    private static final Logger log = LoggerFactory.getLogger(H2ReusedResults.class);

    private H2ReusedResults() {}

    /** The setting lasts until the database is closed. */
    static void disable(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("set optimize_reuse_results 0");
        } catch (SQLException e) {
            log.warn(
                    "H2 may return outdated results, and streams may pause for seconds: only an administrator can disable"
                            + " the reuse of results. Add ;OPTIMIZE_REUSE_RESULTS=FALSE to the URL of the database: {}",
                    e.getMessage());
        }
    }
}
