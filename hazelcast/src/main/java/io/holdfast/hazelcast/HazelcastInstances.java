package io.holdfast.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.ClientConnectionStrategyConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.CredentialsFactoryConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;

/** Starts members and clients. */
final class HazelcastInstances {

    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(100);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(2);

    private HazelcastInstances() {}

    /** Starts a member on the loopback interface: no other machine can reach it, and it searches for none. */
    static HazelcastInstance startMember(String cluster, int port, boolean portAutoIncrement) {
        Config config = new Config();
        config.setClusterName(cluster);
        config.getJetConfig().setEnabled(false);
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.setProperty("hazelcast.shutdownhook.enabled", "false"); // the wire shuts it down, in order
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.getNetworkConfig()
                .setPort(port)
                .setPortAutoIncrement(portAutoIncrement)
                .getInterfaces()
                .setEnabled(true)
                .addInterface(LOOPBACK);
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).addMember(LOOPBACK);
        return Hazelcast.newHazelcastInstance(config);
    }

    /** Connects and reconnects in the background, without a limit. While offline, calls fail instead of blocking. */
    static HazelcastInstance client(String cluster, List<String> members) {
        ClientConfig config = new ClientConfig();
        config.setClusterName(cluster);
        config.setProperty("hazelcast.logging.type", "slf4j");
        // Limits how long Hazelcast retries a call whose connection was lost; the default is two minutes.
        config.setProperty("hazelcast.client.invocation.timeout.seconds", "5");
        // Limits how long a member may hang before the client disconnects; the default is one minute.
        config.setProperty("hazelcast.client.heartbeat.interval", "2000");
        config.setProperty("hazelcast.client.heartbeat.timeout", "10000");
        config.getNetworkConfig().addAddress(members.toArray(String[]::new));
        ClientConnectionStrategyConfig strategy = config.getConnectionStrategyConfig();
        strategy.setAsyncStart(true).setReconnectMode(ClientConnectionStrategyConfig.ReconnectMode.ASYNC);
        strategy.getConnectionRetryConfig()
                .setInitialBackoffMillis((int) INITIAL_BACKOFF.toMillis())
                .setMaxBackoffMillis((int) MAX_BACKOFF.toMillis())
                .setMultiplier(2)
                .setJitter(0.2)
                .setClusterConnectTimeoutMillis(-1);
        return startClient(config, new StartGate());
    }

    static HazelcastInstance startClient(ClientConfig config, StartGate gate) {
        config.getSecurityConfig().setCredentialsFactoryConfig(new CredentialsFactoryConfig().setImplementation(gate));
        try {
            return HazelcastClient.newHazelcastClient(config);
        } finally {
            gate.open();
        }
    }
}
