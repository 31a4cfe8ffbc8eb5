package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;

/** One replica of a service that handles {@link Entries} in one of its versions. */
final class VersionedReplica implements AutoCloseable {

    static final String SERVICE = "versioned";
    static final String PROCESSOR = "entries";
    static final int SEGMENTS = 16;
    static final Duration LEASE = Duration.ofSeconds(3);

    /** Below the lease, as {@link Timeouts} requires. */
    private static final Timeouts TIMEOUTS = new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(2));

    private final HikariDataSource dataSource;
    private final JdbcStore store;
    private final MeterRegistry metrics = new SimpleMeterRegistry();
    private final HoldfastService service;

    private VersionedReplica(String url, VersionedOptions options, List<Component> components) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername("postgres");
        config.setMaximumPoolSize(14);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(2_000);
        this.dataSource = new HikariDataSource(config);
        this.store = JdbcStore.in(SERVICE, dataSource).timeouts(TIMEOUTS).open();
        this.service = start(options, components);
    }

    static VersionedReplica open(String url, VersionedOptions options) {
        return open(url, options, options.components());
    }

    /** @param components instead of those of the version; if there are none, the replica has no processor */
    static VersionedReplica open(String url, VersionedOptions options, List<Component> components) {
        return new VersionedReplica(url, options, components);
    }

    private HoldfastService start(VersionedOptions options, List<Component> components) {
        HoldfastServiceBuilder builder = HoldfastService.named(SERVICE, store, new InMemoryWire())
                .owns(Entries.ENTRIES.stream())
                .owns(options.change().components().stream()
                        .map(component -> Entries.effects(component).stream())
                        .toArray(String[]::new))
                .replica(options.replica())
                .version(options.version())
                .codec(options.change().codec(options.version()))
                .metrics(metrics)
                .resilience(ResilienceSettings.DEFAULT.maxHold(options.maxHold()));
        if (!components.isEmpty()) {
            builder.processor(PROCESSOR, processor -> {
                components.forEach(processor::calls);
                processor
                        .reads(Entries.ENTRIES.stream())
                        .settings(ProcessorSettings.DEFAULT.segments(SEGMENTS).lease(LEASE));
            });
        }
        return builder.start();
    }

    HikariDataSource dataSource() {
        return dataSource;
    }

    JdbcStore store() {
        return store;
    }

    HoldfastService service() {
        return service;
    }

    /** Returns how many segments this replica has claimed. */
    int claimed() {
        return (int) service.processor(PROCESSOR).status().segments().stream()
                .filter(SegmentStatus::claimed)
                .count();
    }

    /** Returns the gauge of PENDING letters, of all components. */
    int pending() {
        return (int) metrics.find("dlq.pending").gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }

    @Override
    public void close() {
        service.close();
        store.close();
        dataSource.close();
    }
}
