package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;
import org.h2.engine.Constants;

/** H2 as an embedded file database. */
final class H2Files implements BenchDatabase {

    private final TemporaryFolder folder = new TemporaryFolder();
    private final List<HikariDataSource> pools = new ArrayList<>();

    @Override
    public String name() {
        return "H2 " + Constants.VERSION;
    }

    @Override
    public HikariDataSource create(String database, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:file:" + folder.path().resolve(database) + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE");
        config.setUsername("sa");
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(1);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    @Override
    public void printSettings() {
        Report.line(
                "%s, file, WRITE_DELAY=0 (written at commit without fsync: survives a process crash, not a power loss)",
                name());
        Report.line(
                "measured: smallest commit %.3f ms, fsync of 8 KB %.3f ms",
                SmallestCommit.measure(this), folder.fsync());
    }

    @Override
    public void settle() {
        // H2 writes in the background; there is nothing to flush.
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        folder.close();
    }
}
