package io.holdfast.spring.transaction;

import io.holdfast.event.NewEvent;
import io.holdfast.failover.Witnessed;
import io.holdfast.outbox.OutboxEntry;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.service.HoldfastService;
import java.time.Instant;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Signals the publisher after each commit of a transaction that wrote to the outbox. */
final class SignallingOutbox implements OutboxStore, TransactionSynchronization {

    private final OutboxStore outbox;
    private final ObjectProvider<HoldfastService> service;

    /** @param service resolved lazily, because code that writes to the outbox may be part of the service */
    SignallingOutbox(OutboxStore outbox, ObjectProvider<HoldfastService> service) {
        this.outbox = outbox;
        this.service = service;
    }

    @Override
    public OutboxEntry write(String stream, String key, NewEvent event) {
        OutboxEntry entry = outbox.write(stream, key, event);
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(this); // a set, so once per transaction
        }
        return entry;
    }

    @Override
    public void afterCommit() {
        service.ifAvailable(HoldfastService::outboxWritten);
    }

    @Override
    public int assignPositions(int limit, Witnessed witnessed) {
        return outbox.assignPositions(limit, witnessed);
    }

    @Override
    public long countUnpositioned() {
        return outbox.countUnpositioned();
    }

    @Override
    public int evict(String stream, long upTo, Instant placedBefore) {
        return outbox.evict(stream, upTo, placedBefore);
    }

    @Override
    public List<String> streams() {
        return outbox.streams();
    }
}
