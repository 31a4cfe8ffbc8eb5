package io.holdfast.hazelcast;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the records that this wire rejects, and logs one of them at most every ten seconds. Thread-safe. */
final class RejectedRecords {

    private static final Logger log = LoggerFactory.getLogger(RejectedRecords.class);
    private static final Duration WARNING_INTERVAL = Duration.ofSeconds(10);

    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong loggedAt = new AtomicLong(System.nanoTime() - WARNING_INTERVAL.toNanos());

    /**
     * @param what the record: "a record of stream orders"
     * @param reason why it is rejected: "it is not signed"
     */
    void add(String what, String reason) {
        long count = rejected.incrementAndGet();
        long now = System.nanoTime();
        long last = loggedAt.get();
        if (now - last >= WARNING_INTERVAL.toNanos() && loggedAt.compareAndSet(last, now)) {
            log.warn("Rejected {}, which now counts as missing: {} ({} rejected so far)", what, reason, count);
        }
    }

    long count() {
        return rejected.get();
    }
}
