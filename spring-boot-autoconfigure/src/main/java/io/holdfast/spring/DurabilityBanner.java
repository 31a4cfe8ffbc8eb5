package io.holdfast.spring;

import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.Store;
import io.holdfast.wire.Wire;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Describes the store and the wire of the service, and what each of them survives. */
final class DurabilityBanner {

    private DurabilityBanner() {}

    static String of(Store store, Wire wire, @Nullable DataSource dataSource) {
        return "Store: " + store(store, dataSource) + ". Wire: " + wire(wire);
    }

    private static String store(Store store, @Nullable DataSource dataSource) {
        if (store instanceof InMemoryStore) {
            return "memory, no data survives the process";
        }
        boolean isInDatabase = store.getClass().getName().startsWith("io.holdfast.j");
        return isInDatabase && dataSource != null
                ? database(dataSource)
                : store.getClass().getName();
    }

    private static String database(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            String url = withoutOptions(connection.getMetaData().getURL());
            if (!product.equals("H2")) {
                return product + " (" + url + "), acknowledged commits survive the process, and a power loss if the"
                        + " database flushes at commit";
            }
            return url.startsWith("jdbc:h2:mem:")
                    ? "H2 in memory (" + url + "), no data survives the process"
                    : "H2 (" + url + "), acknowledged commits survive the process but not a power loss, and only one"
                            + " process can open it";
        } catch (SQLException e) {
            return "a database that does not respond now: " + e.getMessage();
        }
    }

    /** Removes the options, because drivers accept passwords there. */
    private static String withoutOptions(String url) {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^/]*@", "//");
    }

    private static String wire(Wire wire) {
        return wire instanceof InMemoryWire
                ? "memory, reaches this process only"
                : wire.getClass().getSimpleName() + ", may lose records; readers pull missing events from their source";
    }
}
