package io.holdfast.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.ringbuffer.OverflowPolicy;
import com.hazelcast.ringbuffer.ReadResultSet;
import com.hazelcast.ringbuffer.Ringbuffer;
import io.holdfast.testsupport.FreePort;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A shared cluster of one stock member, in the process of the test. It restarts empty, at the same address. */
final class TestMember implements AutoCloseable {

    private final String cluster = "test-" + UUID.randomUUID();
    private final int port = FreePort.find();
    private final Consumer<Config> settings;
    private HazelcastInstance member;

    TestMember() {
        this(config -> {});
    }

    TestMember(Consumer<Config> settings) {
        this.settings = settings;
        this.member = start();
    }

    HazelcastWireBuilder client() {
        return HazelcastWire.client(cluster, address());
    }

    String cluster() {
        return cluster;
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    HazelcastInstance instance() {
        return member;
    }

    Ringbuffer<GenericRecord> ring(String stream) {
        return member.getRingbuffer(RingSettings.ringName(stream));
    }

    void stop() {
        member.getLifecycleService().terminate();
    }

    void restart() {
        member = start();
    }

    List<GenericRecord> records(String stream) {
        return records(ring(stream));
    }

    private static List<GenericRecord> records(Ringbuffer<GenericRecord> ring) {
        try {
            int size = Math.toIntExact(ring.size());
            ReadResultSet<GenericRecord> all = ring.readManyAsync(0, 0, Math.max(1, size), null)
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS);
            List<GenericRecord> records = new ArrayList<>();
            all.forEach(records::add);
            return records;
        } catch (Exception e) {
            throw new AssertionError("cannot read the ringbuffer", e);
        }
    }

    /** Replaces the ringbuffer under the same name. Indexes stay the same as long as nothing was overwritten. */
    void replace(String stream, List<GenericRecord> records) {
        ring(stream).destroy();
        if (!records.isEmpty()) {
            try {
                ring(stream)
                        .addAllAsync(records, OverflowPolicy.OVERWRITE)
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new AssertionError("cannot write the ringbuffer", e);
            }
        }
    }

    void loseTail(String stream, int count) {
        List<GenericRecord> records = records(stream);
        replace(stream, records.subList(0, Math.max(0, records.size() - count)));
    }

    private HazelcastInstance start() {
        Config config = new Config();
        config.setClusterName(cluster);
        config.getJetConfig().setEnabled(false);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.setProperty("hazelcast.operation.thread.count", "2");
        config.setProperty("hazelcast.partition.count", "31");
        config.getNetworkConfig()
                .setPort(port)
                .setPortAutoIncrement(false)
                .getInterfaces()
                .setEnabled(true)
                .addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(false);
        settings.accept(config);
        return Hazelcast.newHazelcastInstance(config);
    }

    @Override
    public void close() {
        member.getLifecycleService().terminate();
    }
}
