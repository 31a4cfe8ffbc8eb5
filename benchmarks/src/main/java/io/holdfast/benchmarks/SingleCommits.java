package io.holdfast.benchmarks;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.jdbc.JdbcStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * The same guarantees with one commit per append: every caller locks the head row, checks, writes and commits alone.
 */
final class SingleCommits implements AppendVariant {

    private final JdbcStore store;
    private final PayloadCodec codec = new PayloadCodec();
    private final KeyCounters keys = new KeyCounters();
    private final LongAdder commits = new LongAdder();

    SingleCommits(DataSource dataSource) {
        this.store = JdbcStore.in(Purchases.SERVICE, dataSource).open();
    }

    @Override
    public Caller caller(int number, int callers) {
        return new Caller() {
            @Override
            public int append() {
                commit(draft(KeyCounters.randomKey(number, callers)));
                return 1;
            }

            @Override
            public void close() {}
        };
    }

    private EventDraft draft(int number) {
        String key = Purchases.key(number);
        long version = keys.nextVersion(number);
        Instant now = Instant.now();
        UUID command = EventIds.random(now);
        Metadata metadata = Metadata.none().withCausationId(command.toString()).withCorrelationId(command.toString());
        return new EventDraft(
                EventIds.derive(command, Purchases.COMPONENT, 0),
                Purchases.SERVICE,
                new AggregateKey(Purchases.STREAM, key),
                version,
                now,
                metadata,
                codec.encode(Purchases.purchase(key, version)));
    }

    private void commit(EventDraft event) {
        try (CommitSession session = store.commitStore().open()) {
            session.lockHead();
            List<Rejection> rejections =
                    session.write(List.of(new UnitWrites(List.of(event), List.of(), List.of(), Optional.empty())));
            if (!rejections.isEmpty()) {
                throw new PermanentException(
                        "an append to a key without concurrent writers was rejected: " + rejections);
            }
            session.commit();
        }
        commits.increment();
    }

    @Override
    public long commits() {
        return commits.sum();
    }

    @Override
    public void warmUp() {}

    @Override
    public void close() {
        store.close();
    }
}
