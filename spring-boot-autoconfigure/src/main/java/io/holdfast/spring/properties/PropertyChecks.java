package io.holdfast.spring.properties;

import io.holdfast.InvalidSettingsException;
import io.holdfast.PermanentException;
import io.holdfast.action.Action;
import io.holdfast.event.Names;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.service.HoldfastServiceBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/** Validates the values of properties beyond their types. For one use. */
final class PropertyChecks {

    /** Equal to that of the JDBC store, which is an optional dependency; a test compares them. */
    static final Duration LOCK_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration MAX_NETWORK_TIMEOUT = Duration.ofHours(1);

    /** Longer than an action may wait before it starts. */
    private static final Duration MIN_RECEIPT_TTL = Action.TIME_TO_LIVE.multipliedBy(2);

    private final Environment environment;
    private final List<String> errors = new ArrayList<>();

    PropertyChecks(Environment environment) {
        this.environment = environment;
    }

    /** Returns one line per invalid value. */
    List<String> findErrors(BoundProperties bound) {
        findErrors(bound.framework());
        collect(() -> bound.saga().settings());
        return errors;
    }

    private void findErrors(HoldfastProperties properties) {
        checkStore(properties);
        check("service-version", properties.serviceVersion(), PropertyChecks::isName, "a version, such as 1.4.2");
        check(
                "jdbc.network-timeout",
                properties.jdbc().networkTimeout(),
                timeout -> timeout.compareTo(LOCK_TIMEOUT) > 0 && timeout.compareTo(MAX_NETWORK_TIMEOUT) <= 0,
                "longer than the lock timeout of 2s, and at most 1h");
        check("commands.timeout", properties.commands().timeout(), PropertyChecks::isPositive, "longer than 0");
        checkOutbox(properties.outbox());
        checkDlq(properties.dlq());
        check(
                "operations.receipt-ttl",
                properties.operations().receiptTtl(),
                ttl -> ttl.compareTo(MIN_RECEIPT_TTL) >= 0,
                "2h or longer, so that a repeated request finds its receipt");
        collect(() -> properties.idempotency().settings());
        collect(() -> properties.resilience().settings());
        check("handlers.threads", properties.handlers().threads(), threads -> threads >= 1, "1 or more");
        properties.processors().forEach(this::checkProcessor);
        check("wire.max-event-size", properties.wire().maxEventSize(), PropertyChecks::isAllowedSize, "from 1B to 1GB");
        collect(() -> properties.wire().recordSigning());
        check("hazelcast.cluster-name", properties.hazelcast().clusterName(), name -> !name.isBlank(), "a name");
        check("h2.directory", properties.h2().directory(), name -> !name.isBlank(), "a directory");
    }

    private void checkStore(HoldfastProperties properties) {
        if (properties.store() == StoreKind.HAZELCAST) {
            errors.add(StoreKind.NO_HAZELCAST_STORE);
        }
        boolean isInDatabase = properties.store() == StoreKind.JDBC;
        check(
                "dlq.store",
                properties.dlq().store(),
                store -> store.name().equals(properties.store().name())
                        || (isInDatabase && store == LetterStoreKind.JPA),
                (isInDatabase ? "jdbc or jpa" : "memory") + ", because letters commit together with events");
    }

    private void checkOutbox(HoldfastProperties.Outbox outbox) {
        check("outbox.poll-interval", outbox.pollInterval(), PropertyChecks::isPositive, "longer than 0");
        check("outbox.max-batch-size", outbox.maxBatchSize(), size -> size >= 1, "1 or more");
        check("outbox.max-retries", outbox.maxRetries(), retries -> retries >= 0, "0 or more");
        check("outbox.entry-ttl", outbox.entryTtl(), ttl -> !ttl.isNegative(), "0 or longer");
    }

    private void checkDlq(HoldfastProperties.Dlq dlq) {
        check("dlq.max-sequences", dlq.maxSequences(), max -> max >= 1, "1 or more; to turn the queue off, disable it");
        check("dlq.max-sequence-size", dlq.maxSequenceSize(), max -> max >= 1, "1 or more");
        check("dlq.max-replay-attempts", dlq.maxReplayAttempts(), max -> max >= 1, "1 or more");
        check("dlq.max-waiting", dlq.maxWaiting(), max -> max >= 1, "1 or more");
        check(
                "dlq.entry-ttl",
                dlq.entryTtl(),
                ttl -> ttl.compareTo(HoldfastServiceBuilder.MIN_RESOLVED_ENTRY_TTL) >= 0,
                "2h or longer: entries must outlive the actions on them");
    }

    private void checkProcessor(String name, HoldfastProperties.Processor processor) {
        String prefix = "processors." + name + ".";
        check(
                prefix + "segments",
                processor.segments(),
                count -> count >= 1 && count <= ProcessorSettings.MAX_SEGMENTS,
                "from 1 to " + ProcessorSettings.MAX_SEGMENTS);
        check(prefix + "batch-size", processor.batchSize(), size -> size >= 1, "1 or more");
        check(prefix + "start", processor.start(), PropertyChecks::isValidStart, ProcessorStart.ALLOWED);
        check(prefix + "handler-timeout", processor.handlerTimeout(), PropertyChecks::isPositive, "longer than 0");
        check(
                prefix + "commit-interval",
                processor.commitInterval(),
                interval -> !interval.isNegative() && interval.compareTo(ProcessorSettings.MAX_COMMIT_INTERVAL) <= 0,
                "from 0 to 1s");
        processor
                .retires()
                .forEach(retired -> check(prefix + "retires", retired, PropertyChecks::isName, "names of components"));
        check(prefix + "dlq.cache.size", processor.dlq().cache().size(), size -> size >= 0, "0 or more");
    }

    private static boolean isName(String text) {
        try {
            Names.require("name", text);
            return true;
        } catch (PermanentException e) {
            return false;
        }
    }

    private static boolean isPositive(Duration time) {
        return !time.isNegative() && !time.isZero();
    }

    private static boolean isAllowedSize(DataSize size) {
        return size.toBytes() >= 1 && size.compareTo(DataSize.ofGigabytes(1)) <= 0;
    }

    private static boolean isValidStart(String text) {
        try {
            ProcessorStart.parse(text);
            return true;
        } catch (PermanentException e) {
            return false;
        }
    }

    /** Collects the errors of core settings, which validate themselves. */
    private void collect(Runnable settings) {
        try {
            settings.run();
        } catch (InvalidSettingsException e) {
            errors.addAll(e.problems());
        } catch (PermanentException e) {
            errors.add(String.valueOf(e.getMessage()));
        }
    }

    private <T> void check(String key, @Nullable T value, Predicate<T> isValid, String allowed) {
        if (value != null && !isValid.test(value)) {
            String name = PropertyNames.ROOT + "." + key;
            errors.add(name + " is " + environment.getProperty(name, value.toString()) + ", but must be " + allowed);
        }
    }
}
