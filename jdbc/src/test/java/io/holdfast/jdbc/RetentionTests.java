package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamPosition;
import io.holdfast.fixture.ManualClock;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StreamReader;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Entries are evicted once they are old and every registered group has passed them, never before a reader has them. */
@ParameterizedClass
@EnumSource(Dialect.class)
class RetentionTests {

    private static final String STREAM = "orders";
    private static final Duration TTL = Duration.ofHours(24);
    private static final int ALL = 10_000;

    private final ManualClock clock = new ManualClock();
    private final PayloadCodec codec = new PayloadCodec();
    private final TestDatabase database;
    private final JdbcTransactions transactions;
    private final JdbcStore store;
    private volatile CommitPoint.Observer trap = CommitPoint.Observer.NONE;
    private final CommitPoint.Observer points = new CommitPoint.Observer() {
        @Override
        public void before(CommitPoint point) {
            trap.before(point);
        }

        @Override
        public void after(CommitPoint point) {
            trap.after(point);
        }
    };

    RetentionTests(Dialect dialect) {
        database = TestDatabase.acquire(dialect);
        transactions = new JdbcTransactions(database.dataSource());
        store = open(clock);
    }

    private JdbcStore open(ManualClock storeClock) {
        return JdbcStore.in("shop", database.dataSource())
                .clock(storeClock)
                .transactions(transactions)
                .points(points)
                .open();
    }

    @AfterEach
    void close() {
        store.close();
        database.release();
    }

    @Test
    void keepsOldEntriesUntilEveryGroupHasPassed() {
        writePositionedEntries(4);
        StreamReader billing = reader("billing");
        StreamReader shipping = reader("shipping");
        StreamPosition start = billing.start(STREAM, StartAt.BEGINNING).orElseThrow();
        shipping.start(STREAM, StartAt.BEGINNING);
        List<EventMessage> events = billing.read(STREAM, start, ALL);
        clock.advance(TTL.plusSeconds(1));

        billing.report(STREAM, events.get(3).streamPosition());
        evict();
        assertThat(remainingPositions()).containsExactly(1L, 2L, 3L, 4L);

        shipping.report(STREAM, events.get(1).streamPosition());
        evict();
        assertThat(remainingPositions()).containsExactly(3L, 4L);

        store.consumerGroups().remove("shipping");
        evict();
        assertThat(remainingPositions()).isEmpty();
    }

    @Test
    void keepsYoungEntriesEvenIfAllGroupsHavePassedThem() {
        writePositionedEntries(2);
        clock.advance(TTL);
        writePositionedEntries(1);
        clock.advance(Duration.ofSeconds(1));
        reader("billing").start(STREAM, StartAt.NOW);

        evict();

        assertThat(remainingPositions()).containsExactly(3L);
    }

    /**
     * The eviction sees no group and is about to remove entries. A group that registers now must not start at one of
     * them.
     */
    @Test
    void groupThatRegistersDuringAnEvictionStartsAfterIt() throws Exception {
        writePositionedEntries(3);
        clock.advance(TTL.plusSeconds(1));
        writePositionedEntries(2);
        StreamReader reader = reader("billing");
        ConcurrentTask<StreamPosition> registering = new ConcurrentTask<>(
                () -> reader.start(STREAM, StartAt.BEGINNING).orElseThrow());
        trap = new MomentTrap(new Moment(CommitPoint.OUTBOX_EVICT, false), 1, registering::runUntilBlocked);

        evict();

        List<EventMessage> read = reader.read(STREAM, registering.result(), ALL);
        assertThat(read).extracting(EventMessage::position).containsExactly(4L, 5L);
    }

    /** The group has locked the head and is about to register. An eviction that starts now must see it. */
    @Test
    void evictionDuringARegistrationRemovesNothing() throws Exception {
        writePositionedEntries(3);
        clock.advance(TTL.plusSeconds(1));
        StreamReader reader = reader("billing");
        ConcurrentTask<Integer> evicting = new ConcurrentTask<>(this::evict);
        trap = new MomentTrap(new Moment(CommitPoint.GROUP_REGISTER, false), 1, evicting::runUntilBlocked);

        StreamPosition start = reader.start(STREAM, StartAt.BEGINNING).orElseThrow();

        evicting.result();
        assertThat(reader.read(STREAM, start, ALL))
                .extracting(EventMessage::position)
                .containsExactly(1L, 2L, 3L);
    }

    /** The group's start is resolved but not stored yet, so every entry must remain. */
    @Test
    void evictionWhileTheStartIsResolvedRemovesNothing() throws Exception {
        writePositionedEntries(3);
        clock.advance(TTL.plusSeconds(1));
        StreamReader reader = reader("billing");
        ConcurrentTask<Integer> evicting = new ConcurrentTask<>(this::evict);
        trap = new MomentTrap(new Moment(CommitPoint.GROUP_START, false), 1, evicting::runUntilBlocked);

        StreamPosition start = reader.start(STREAM, StartAt.BEGINNING).orElseThrow();

        evicting.result();
        assertThat(reader.read(STREAM, start, ALL)).hasSize(3);
    }

    /** A replica whose clock is ahead has positioned an entry before another replica positions the next ones. */
    @Test
    void leavesNoGapWhenClocksDiffer() {
        writePositionedEntries(1);
        try (JdbcStore ahead = open(new ManualClock(clock.instant().plusSeconds(60)))) {
            writeEntries(1);
            ahead.outboxStore().assignPositions(ALL);
        }
        writePositionedEntries(2);
        clock.advance(TTL.plusSeconds(30));

        evict();

        assertThat(remainingPositions()).containsExactly(2L, 3L, 4L);
        StreamReader reader = reader("billing");
        StreamPosition start = reader.start(STREAM, StartAt.BEGINNING).orElseThrow();
        assertThat(reader.read(STREAM, start, ALL)).hasSize(3);
    }

    @Test
    void removesMoreThanOneBatch() {
        writePositionedEntries(2 * OutboxEviction.BATCH_SIZE + 1);
        clock.advance(TTL.plusSeconds(1));

        evict();

        assertThat(remainingPositions()).isEmpty();
    }

    /** @return the number of removed entries */
    private int evict() {
        Instant positionedBefore = clock.instant().minus(TTL);
        return store.outboxStore().streams().stream()
                .mapToInt(stream -> store.outboxStore()
                        .evict(stream, store.eventLog().head(stream).position(), positionedBefore))
                .sum();
    }

    private StreamReader reader(String group) {
        return StreamReader.ofLog(store, group);
    }

    private void writeEntries(int entries) {
        NewEvent event = new NewEvent(codec.encode(new Noted("order")), Metadata.none());
        transactions.run(connection -> {
            IntStream.range(0, entries).forEach(number -> store.outboxStore().write(STREAM, "order-" + number, event));
            return true;
        });
    }

    private void writePositionedEntries(int entries) {
        writeEntries(entries);
        assertThat(store.outboxStore().assignPositions(ALL)).isEqualTo(entries);
    }

    private List<Long> remainingPositions() {
        return store.eventLog().readStream(STREAM, 0, ALL).stream()
                .map(EventMessage::position)
                .toList();
    }

    /** A task that another thread starts in the middle of the current one. */
    private static final class ConcurrentTask<T> {

        private static final long BLOCK_DETECTION_MILLIS = 300;

        private final CompletableFuture<Boolean> started = new CompletableFuture<>();
        private final CompletableFuture<T> done;

        ConcurrentTask(Supplier<T> work) {
            this.done = started.thenApplyAsync(now -> work.get());
        }

        /** Returns when the task has finished, or appears to wait for the calling thread. */
        void runUntilBlocked() {
            started.complete(true);
            try {
                done.get(BLOCK_DETECTION_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | ExecutionException e) {
                // The task waits, or result() reports its failure.
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
        }

        T result() throws Exception {
            return done.get(30, TimeUnit.SECONDS);
        }
    }
}
