package io.holdfast.spring;

import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.Store;
import io.holdfast.wire.Wire;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Says where things are kept, and what survives what. */
final class DurabilityBanner {

    private DurabilityBanner() {}

    static String of(Store store, Wire wire, @Nullable DataSource dataSource) {
        return "its store is " + store(store, dataSource) + "; its wire is " + wire(wire);
    }

    private static String store(Store store, @Nullable DataSource dataSource) {
        if (store instanceof InMemoryStore) {
            return "memory, which nothing survives: all is gone with the process";
        }
        boolean isInDatabase = store.getClass().getName().startsWith("io.holdfast.j");
        return isInDatabase && dataSource != null
                ? database(dataSource)
                : "a " + store.getClass().getName();
    }

    private static String database(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            String url = withoutOptions(connection.getMetaData().getURL());
            if (!product.equals("H2")) {
                return product + " (" + url + "): what was answered survives the process, and the power if the"
                        + " database flushes at commit";
            }
            return url.startsWith("jdbc:h2:mem:")
                    ? "H2 in memory (" + url + "), which nothing survives: all is gone with the process"
                    : "H2 (" + url + "): what was answered survives the process, not the power, and only one"
                            + " process has it";
        } catch (SQLException e) {
            return "a database that does not answer now: " + e.getMessage();
        }
    }

    /** Drivers take passwords as options. */
    private static String withoutOptions(String url) {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^/]*@", "//");
    }

    private static String wire(Wire wire) {
        return wire instanceof InMemoryWire
                ? "memory, which reaches this process only"
                : wire.getClass().getSimpleName() + ", which may forget anything: events are pulled from their stores";
    }
}
