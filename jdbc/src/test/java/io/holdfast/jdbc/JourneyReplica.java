package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.commit.CommitPoint;
import io.holdfast.eventsourcing.Command;
import io.holdfast.jdbc.Journeys.Journey;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaHandle;
import io.holdfast.saga.orchestration.SagaOrchestrator;
import io.holdfast.saga.orchestration.SagaStreams;
import io.holdfast.service.HoldfastService;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** One replica of the service that runs {@link Journeys} and answers their commands, on PostgreSQL. */
final class JourneyReplica implements AutoCloseable {

    private static final Duration LEASE = Duration.ofSeconds(1);

    /** Below the lease, as {@link Timeouts} requires. */
    private static final Timeouts TIMEOUTS = new Timeouts(Duration.ofMillis(300), Duration.ofMillis(600));

    private final HikariDataSource dataSource;
    private final JourneyPayments payments;
    private final SagaDefinition<Journey> definition;
    private final JdbcStore store;
    private final HoldfastService service;

    private JourneyReplica(
            String url,
            String name,
            Version version,
            CommitPoint.Observer points,
            Runnable afterCall,
            Consumer<String> onConfirm) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername("postgres");
        config.setMaximumPoolSize(14);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(2_000);
        this.dataSource = new HikariDataSource(config);
        this.payments = new JourneyPayments(dataSource, afterCall, onConfirm);
        this.definition = version.definition().apply(payments);
        payments.createTable();
        this.store = JdbcStore.in(Journeys.SERVICE, dataSource)
                .timeouts(TIMEOUTS)
                .points(points)
                .open();
        try {
            this.service = start(name, version);
        } catch (RuntimeException e) {
            store.close();
            dataSource.close();
            throw e;
        }
    }

    static JourneyReplica open(String url, String name, Version version) {
        return open(url, name, version, journey -> {});
    }

    static JourneyReplica open(String url, String name, Version version, Consumer<String> onConfirm) {
        return open(url, name, version, CommitPoint.Observer.NONE, () -> {}, onConfirm);
    }

    /** See {@link JourneyPayments} for what runs after a call and on a confirmation. */
    static JourneyReplica open(
            String url,
            String name,
            Version version,
            CommitPoint.Observer points,
            Runnable afterCall,
            Consumer<String> onConfirm) {
        return new JourneyReplica(url, name, version, points, afterCall, onConfirm);
    }

    private HoldfastService start(String name, Version version) {
        return HoldfastService.named(Journeys.SERVICE, store, new InMemoryWire())
                .owns(Journeys.TRIPS.stream(), Journeys.ROOMS.stream())
                .replica(name)
                .version(version.name())
                .saga(definition)
                .processor(Journeys.ROOMS_PROCESSOR, processor -> processor
                        .reads(SagaStreams.of(Journeys.SERVICE))
                        .calls(Journeys.rooms()))
                .customizeProcessors(
                        (processor, configuration) -> configuration.settings(settings -> settings.lease(LEASE)))
                .resilience(ResilienceSettings.DEFAULT.retry(
                        RetryOverrides.NONE.waitDuration(Duration.ofMillis(20)).maxAttempts(10)))
                .start();
    }

    /** Starts a journey unless it has been started. */
    CompletableFuture<SagaHandle> begin(String journey) {
        return service.sagas().submit(definition, command(journey), new Journey(journey));
    }

    private static Command command(String journey) {
        return Command.keyed("journeys", journey);
    }

    static String sagaOf(String journey) {
        return SagaOrchestrator.idOf(command(journey));
    }

    JourneyPayments payments() {
        return payments;
    }

    JdbcStore store() {
        return store;
    }

    HoldfastService service() {
        return service;
    }

    @Override
    public void close() {
        service.close();
        store.close();
        dataSource.close();
    }

    /** A version of the service, with its definition. */
    record Version(String name, Function<JourneyPayments, SagaDefinition<Journey>> definition) {

        static final Version FIRST = new Version("1", Journeys::first);
        static final Version SECOND = new Version("2", Journeys::second);
        static final Version WITHOUT_RESERVE = new Version("3", Journeys::withoutReserve);
    }
}
