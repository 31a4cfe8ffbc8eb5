package io.holdfast.chaos;

import io.holdfast.hazelcast.HazelcastWire;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.jdbc.PoolSettings;
import java.nio.file.Path;

/** The arguments of both services' processes. */
record ServiceProcess(String url, String cluster, String member) {

    static final int RING_CAPACITY = 1_000;

    static ServiceProcess of(String... arguments) {
        return new ServiceProcess(arguments[0], arguments[1], arguments[2]);
    }

    static String url(Path folder, String service) {
        return "jdbc:h2:file:" + folder.resolve(service) + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
    }

    static JdbcStore store(String service, String url) {
        return JdbcStore.in(service, PoolSettings.of(url, "sa", "")).open();
    }

    JdbcStore store(String service) {
        return store(service, url);
    }

    HazelcastWire wire() {
        return HazelcastWire.client(cluster, member).ringCapacity(RING_CAPACITY).open();
    }
}
