package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.Noted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writers are slow, roll back and overlap. A reader sees every position once and in order, and skips none. */
class LateCommitTests {

    private static final int WRITERS = 4;
    private static final int TRANSACTIONS = 30;

    private final PayloadCodec codec = new PayloadCodec();

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void noReaderSkipsALateCommit(Dialect dialect) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2 * WRITERS + 2);
        try (JdbcStoreHarness harness =
                dialect == Dialect.POSTGRESQL ? JdbcStoreHarness.postgresql() : JdbcStoreHarness.h2()) {
            AtomicBoolean writing = new AtomicBoolean(true);
            CompletableFuture<List<EventMessage>> reader =
                    CompletableFuture.supplyAsync(() -> read(harness.store(), writing), threads);
            CompletableFuture<Void> publisher = CompletableFuture.runAsync(
                    () -> {
                        while (writing.get()) {
                            harness.store().outboxStore().assignPositions(5);
                        }
                    },
                    threads);
            List<CompletableFuture<Integer>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                String key = "writer-" + writer;
                long seed = writer;
                writers.add(CompletableFuture.supplyAsync(() -> commits(harness.store(), key, seed), threads));
                writers.add(CompletableFuture.supplyAsync(() -> remarks(harness, key, seed), threads));
            }
            int committed = writers.stream().mapToInt(CompletableFuture::join).sum();
            while (harness.store().outboxStore().countUnpositioned() > 0) {
                harness.store().outboxStore().assignPositions(100);
            }
            writing.set(false);
            publisher.get(30, TimeUnit.SECONDS);

            List<EventMessage> seen = reader.get(30, TimeUnit.SECONDS);

            assertThat(seen)
                    .extracting(EventMessage::position)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, committed).boxed().toList());
        } finally {
            threads.shutdown();
        }
    }

    private static List<EventMessage> read(Store store, AtomicBoolean writing) {
        List<EventMessage> seen = new ArrayList<>();
        boolean more = true;
        while (more) {
            more = writing.get();
            List<EventMessage> page;
            do {
                page = store.eventLog()
                        .readAll(seen.isEmpty() ? 0 : seen.get(seen.size() - 1).position(), 7);
                seen.addAll(page);
            } while (!page.isEmpty());
        }
        return seen;
    }

    /** Runs sessions that write one to three events; a third of them roll back after the write. */
    private int commits(Store store, String key, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int committed = 0;
        for (int i = 0; i < TRANSACTIONS; i++) {
            int events = 1 + random.nextInt(3);
            boolean rollsBack = random.nextInt(3) == 0;
            while (true) {
                try (CommitSession session = store.commitStore().open()) {
                    session.lockHead();
                    assertThat(session.write(List.of(unit(key, committed, events))))
                            .isEmpty();
                    if (!rollsBack) {
                        session.commit();
                        committed += events;
                    }
                    break;
                } catch (RetryableException e) {
                    // Others locked the head for too long; nothing was written.
                }
            }
        }
        return committed;
    }

    /** Runs users' transactions that write to the outbox and stay open for a while; some roll back. */
    private int remarks(JdbcStoreHarness harness, String key, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int committed = 0;
        for (int i = 0; i < TRANSACTIONS; i++) {
            boolean rollsBack = random.nextInt(3) == 0;
            try {
                harness.inTransaction(() -> {
                    harness.store()
                            .outboxStore()
                            .write("remarks", key, new NewEvent(codec.encode(new Noted(key)), Metadata.none()));
                    harness.store().eventLog().readAll(0, 50); // takes its time
                    if (rollsBack) {
                        throw new IllegalStateException("rolls back");
                    }
                });
                committed++;
            } catch (IllegalStateException e) {
                assertThat(rollsBack).isTrue();
            }
        }
        return committed;
    }

    private UnitWrites unit(String key, int after, int events) {
        List<EventDraft> drafts = IntStream.rangeClosed(1, events)
                .mapToObj(i -> new EventDraft(
                        EventIds.random(Instant.EPOCH),
                        "test",
                        new AggregateKey("notes", key),
                        after + i,
                        Instant.EPOCH,
                        Metadata.none(),
                        codec.encode(new Noted(key))))
                .toList();
        return new UnitWrites(drafts, List.of(), List.of(), Optional.empty());
    }
}
