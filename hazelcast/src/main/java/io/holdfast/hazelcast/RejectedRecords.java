package io.holdfast.hazelcast;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the records that this wire rejects, also as the metric {@value #METRIC}, and logs one of them at most every
 * ten seconds. Thread-safe.
 */
final class RejectedRecords {

    private static final Logger log = LoggerFactory.getLogger(RejectedRecords.class);
    private static final Duration WARNING_INTERVAL = Duration.ofSeconds(10);

    static final String METRIC = "wire.records.refused";

    /** Why a record is rejected. */
    enum Reason {
        /** It is unsigned, or its signature is invalid. */
        SIGNATURE,
        /** It is not a record of Holdfast, or not one of its stream. */
        CONTENT
    }

    private final Map<Reason, Counter> counters = new EnumMap<>(Reason.class);
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong loggedAt = new AtomicLong(System.nanoTime() - WARNING_INTERVAL.toNanos());

    RejectedRecords(MeterRegistry metrics) {
        for (Reason reason : Reason.values()) { // registered before the first rejection, so that dashboards show zero
            counters.put(
                    reason,
                    Counter.builder(METRIC)
                            .description("records that the wire rejected; they count as missing")
                            .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                            .register(metrics));
        }
    }

    /**
     * @param what the record: "a record of stream orders"
     * @param detail why it is rejected: "it is not signed"
     */
    void add(String what, Reason reason, String detail) {
        Objects.requireNonNull(counters.get(reason)).increment();
        long count = rejected.incrementAndGet();
        long now = System.nanoTime();
        long last = loggedAt.get();
        if (now - last >= WARNING_INTERVAL.toNanos() && loggedAt.compareAndSet(last, now)) {
            log.warn("Rejected {}, which now counts as missing: {} ({} rejected so far)", what, detail, count);
        }
    }

    long count() {
        return rejected.get();
    }
}
