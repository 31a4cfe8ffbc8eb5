package io.holdfast.tck.store;

import static io.holdfast.tck.harness.StoreWriter.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.Rejection;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.outbox.OutboxEntry;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.TestThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link OutboxStore}, and of how its entries appear in the log. {@code orders} is an outbox stream.
 */
public abstract class OutboxStoreKit extends StoreKit {

    private static final int ALL = 1_000;
    private static final Duration HOUR = Duration.ofHours(1);

    private OutboxStore outbox() {
        return store().outboxStore();
    }

    private EventLog log() {
        return store().eventLog();
    }

    private NewEvent event(String text) {
        return new NewEvent(codec.encode(new Noted(text)), Metadata.none().withCorrelationId("kit"));
    }

    /** Must be called inside a transaction. */
    private OutboxEntry write(String key) {
        return outbox().write("orders", key, event(key));
    }

    private OutboxEntry writeCommitted(String key) {
        List<OutboxEntry> entries = new ArrayList<>();
        harness().inTransaction(() -> entries.add(write(key)));
        return entries.get(0);
    }

    private void writePositioned(String... keys) {
        for (String key : keys) {
            writeCommitted(key);
        }
        assertThat(outbox().assignPositions(ALL)).isEqualTo(keys.length);
    }

    /** The first transaction of a stream registers it, and others may wait for that. */
    private void registerStream() {
        writePositioned("first");
        harness().passTime(HOUR);
        outbox().evict("orders", ALL, harness().clock().instant());
    }

    private void runAndRollBack(Runnable work) {
        assertThatExceptionOfType(RolledBack.class).isThrownBy(() -> harness().inTransaction(() -> {
            work.run();
            throw new RolledBack();
        }));
    }

    /** Returns the events in position order, as {@code stream/key#version}. */
    private List<String> names() {
        return log().readAll(0, ALL).stream()
                .map(event -> event.stream() + "/" + event.key() + "#" + event.version())
                .toList();
    }

    private void assertChained() {
        List<EventMessage> events = log().readAll(0, ALL);
        assertThat(events)
                .extracting(EventMessage::position)
                .isEqualTo(LongStream.rangeClosed(1, events.size()).boxed().toList());
        assertThat(log().position()).isEqualTo(events.size());
        for (StreamHead head : log().heads()) {
            StreamPosition reached = StreamPosition.beginning(log().identity());
            for (EventMessage event : log().readStream(head.stream(), 0, ALL)) {
                assertThat(reached.isFollowedBy(event))
                        .as("%s follows %s", event, reached)
                        .isTrue();
                reached = event.streamPosition();
            }
            assertThat(reached).isEqualTo(head.streamPosition());
        }
    }

    private static final class RolledBack extends RuntimeException {}

    @Nested
    class Writing {

        @Test
        void isRejectedOutsideTransaction() {
            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> write("a"))
                    .withMessageContaining("transaction");

            assertThat(outbox().countUnpositioned()).isZero();
        }

        @Test
        void keepsEntryComplete() {
            NewEvent event = event("Grüße, 世界");
            List<OutboxEntry> entries = new ArrayList<>();
            harness().inTransaction(() -> entries.add(outbox().write("orders", "a", event)));

            outbox().assignPositions(ALL);

            assertThat(log().readKey("orders", "a", 0, ALL)).singleElement().satisfies(positioned -> {
                assertThat(positioned.id()).isEqualTo(entries.get(0).id());
                assertThat(positioned.version()).isEqualTo(entries.get(0).version());
                assertThat(positioned.source()).isEqualTo(StoreHarness.SERVICE);
                assertThat(positioned.payload()).isEqualTo(event.payload());
                assertThat(positioned.metadata()).isEqualTo(event.metadata());
                assertThat(positioned.logPosition().log()).isEqualTo(log().identity());
                assertThat(log().find(List.of(positioned.id()))).containsExactly(positioned);
            });
        }

        @Test
        void numbersEachKeySeparately() {
            assertThat(writeCommitted("a").version()).isEqualTo(1);
            assertThat(writeCommitted("a").version()).isEqualTo(2);
            assertThat(writeCommitted("b").version()).isEqualTo(1);
            assertThat(writeCommitted("A").version()).isEqualTo(1);
        }

        @Test
        void numbersEachStreamSeparately() {
            writeCommitted("a");

            harness().inTransaction(() -> assertThat(
                            outbox().write("returns", "a", event("a")).version())
                    .isEqualTo(1));
        }

        @Test
        void numbersEntriesOfOneTransactionInOrder() {
            writeCommitted("a");
            List<OutboxEntry> entries = new ArrayList<>();

            harness().inTransaction(() -> {
                entries.add(write("a"));
                entries.add(write("b"));
                entries.add(write("a"));
            });
            outbox().assignPositions(ALL);

            assertThat(entries).extracting(OutboxEntry::version).containsExactly(2L, 1L, 3L);
            assertThat(entries).extracting(OutboxEntry::id).doesNotHaveDuplicates();
            assertThat(log().readKey("orders", "a", 1, ALL))
                    .extracting(EventMessage::id)
                    .containsExactly(entries.get(0).id(), entries.get(2).id());
        }

        @Test
        void leavesNoEntryAndNoGapAfterRollback() {
            writeCommitted("a");
            runAndRollBack(() -> {
                write("a");
                write("a");
            });

            assertThat(outbox().countUnpositioned()).isEqualTo(1);
            assertThat(writeCommitted("a").version()).isEqualTo(2);
            assertThat(outbox().assignPositions(ALL)).isEqualTo(2);
            assertThat(names()).containsExactly("orders/a#1", "orders/a#2");
        }

        @Test
        void isInvisibleBeforeCommit() {
            harness().inTransaction(() -> {
                write("a");

                try (TestThreads threads = new TestThreads()) {
                    assertThat(TestThreads.result(threads.start(() -> outbox().countUnpositioned())))
                            .isZero();
                    assertThat(TestThreads.result(threads.start(() -> outbox().assignPositions(ALL))))
                            .isZero();
                }
            });

            assertThat(outbox().countUnpositioned()).isEqualTo(1);
        }
    }

    @Nested
    class ConcurrentWriters {

        @Test
        void waitForEachOtherOnOneKeyAndAreNumberedInCommitOrder() {
            try (OpenTransaction first = new OpenTransaction("a")) {
                Future<OutboxEntry> second = first.threads.start(() -> writeCommitted("a"));

                assertThat(TestThreads.completesSoon(second)).isFalse();
                first.commit();

                assertThat(TestThreads.result(second).version()).isEqualTo(2);
            }
            outbox().assignPositions(ALL);
            assertThat(names()).containsExactly("orders/a#1", "orders/a#2");
        }

        @Test
        void reuseVersionOfRolledBackWriter() {
            try (OpenTransaction first = new OpenTransaction("a")) {
                Future<OutboxEntry> second = first.threads.start(() -> writeCommitted("a"));

                assertThat(TestThreads.completesSoon(second)).isFalse();
                first.rollBack();

                assertThat(TestThreads.result(second).version()).isEqualTo(1);
            }
            assertThat(outbox().countUnpositioned()).isEqualTo(1);
        }

        @Test
        void doNotWaitForEachOtherOnDifferentKeys() {
            registerStream();
            try (OpenTransaction first = new OpenTransaction("a")) {
                Future<OutboxEntry> second = first.threads.start(() -> writeCommitted("b"));

                assertThat(TestThreads.result(second).version()).isEqualTo(1);
                assertThat(outbox().countUnpositioned()).isEqualTo(1);
                first.commit();
            }
            assertThat(outbox().countUnpositioned()).isEqualTo(2);
        }

        @Test
        void mayWaitForTheFirstTransactionOfAStream() {
            try (OpenTransaction first = new OpenTransaction("a")) {
                Future<OutboxEntry> second = first.threads.start(() -> writeCommitted("b"));

                first.commit();

                assertThat(TestThreads.result(second).version()).isEqualTo(1);
            }
            assertThat(outbox().countUnpositioned()).isEqualTo(2);
            assertThat(outbox().streams()).containsExactly("orders");
        }

        @Test
        void registerTheStreamEvenIfItsFirstTransactionIsRolledBack() {
            try (OpenTransaction first = new OpenTransaction("a")) {
                Future<OutboxEntry> second = first.threads.start(() -> writeCommitted("b"));

                first.rollBack();

                assertThat(TestThreads.result(second).version()).isEqualTo(1);
            }
            assertThat(outbox().streams()).containsExactly("orders");
            outbox().assignPositions(ALL);
            assertThat(names()).containsExactly("orders/b#1");
        }

        @Test
        void registerTheStreamAgainAfterARollback() {
            runAndRollBack(() -> {
                write("a");
                write("b");
            });
            harness().inTransaction(() -> write("c"));

            assertThat(outbox().streams()).containsExactly("orders");
            assertThat(replica().outboxStore().streams()).containsExactly("orders");
        }

        @Test
        void doNotWaitForHeadLock() {
            try (TestThreads threads = new TestThreads();
                    CommitSession session = store().commitStore().open()) {
                session.lockHead();

                assertThat(TestThreads.result(threads.start(() -> writeCommitted("a")))
                                .version())
                        .isEqualTo(1);
            }
        }

        @Test
        void leaveNoGapAndNoDuplicateWhilePositionsAreAssigned() {
            AtomicInteger writing = new AtomicInteger(3);

            TestThreads.race(4, worker -> {
                if (worker == 3) {
                    assignPositionsWhile(writing);
                } else {
                    IntStream.range(0, 20).forEach(number -> writeCommitted("key-" + number % 4));
                    writing.decrementAndGet();
                }
                return worker;
            });
            outbox().assignPositions(ALL);

            assertThat(outbox().countUnpositioned()).isZero();
            assertChained();
            for (int key = 0; key < 4; key++) {
                assertThat(log().readStream("orders", 0, ALL))
                        .filteredOn("key", "key-" + key)
                        .extracting(EventMessage::version)
                        .isEqualTo(LongStream.rangeClosed(1, 15).boxed().toList());
            }
        }

        private void assignPositionsWhile(AtomicInteger writing) {
            while (writing.get() > 0) {
                outbox().assignPositions(3);
            }
        }
    }

    /** An open transaction of another thread that has written a key. */
    private final class OpenTransaction implements AutoCloseable {

        final TestThreads threads = new TestThreads();
        private final CountDownLatch written = new CountDownLatch(1);
        private final CountDownLatch endAllowed = new CountDownLatch(1);
        private final Future<Boolean> ended;
        private volatile boolean rollsBack;

        OpenTransaction(String key) {
            ended = threads.run(() -> {
                if (!endsAsRequested(key)) {
                    throw new AssertionError("the transaction did not end as requested");
                }
            });
            TestThreads.await(written);
        }

        private boolean endsAsRequested(String key) {
            try {
                harness().inTransaction(() -> {
                    write(key);
                    written.countDown();
                    TestThreads.await(endAllowed);
                    if (rollsBack) {
                        throw new RolledBack();
                    }
                });
                return !rollsBack;
            } catch (RolledBack e) {
                return rollsBack;
            } finally {
                written.countDown();
            }
        }

        void commit() {
            endAllowed.countDown();
            TestThreads.result(ended);
        }

        void rollBack() {
            rollsBack = true;
            commit();
        }

        @Override
        public void close() {
            endAllowed.countDown();
            threads.close();
        }
    }

    @Nested
    class AssigningPositions {

        @Test
        void isRequiredForEntryToAppearInLog() {
            OutboxEntry entry = writeCommitted("a");

            assertThat(log().position()).isZero();
            assertThat(log().readAll(0, ALL)).isEmpty();
            assertThat(log().readKey("orders", "a", 0, ALL)).isEmpty();
            assertThat(log().find(List.of(entry.id()))).isEmpty();
            assertThat(log().heads()).isEmpty();
        }

        @Test
        void returnsZeroWithoutEntries() {
            assertThat(outbox().assignPositions(ALL)).isZero();
            assertThat(log().position()).isZero();
        }

        @Test
        void chainsEntriesWithRestOfLog() {
            writer().append("notes", "n", 1);
            writeCommitted("a");
            writer().append("notes", "n", 2);
            writeCommitted("b");
            assertThat(outbox().assignPositions(ALL)).isEqualTo(2);
            writer().append("notes", "n", 3);
            writeCommitted("a");
            assertThat(outbox().assignPositions(ALL)).isEqualTo(1);

            assertThat(names().subList(0, 2)).containsExactly("notes/n#1", "notes/n#2");
            assertThat(names().subList(2, 4)).containsExactlyInAnyOrder("orders/a#1", "orders/b#1");
            assertThat(names().subList(4, 6)).containsExactly("notes/n#3", "orders/a#2");
            assertChained();
        }

        @Test
        void neverSkipsLateCommit() {
            writePositioned("first");
            try (OpenTransaction late = new OpenTransaction("late")) {
                writeCommitted("early");
                assertThat(outbox().assignPositions(ALL)).isEqualTo(1);
                assertThat(log().position()).isEqualTo(2);

                late.commit();
            }

            assertThat(outbox().assignPositions(ALL)).isEqualTo(1);
            assertThat(log().readAll(2, ALL)).extracting(EventMessage::key).containsExactly("late");
            assertChained();
        }

        @Test
        void stopsAtLimit() {
            IntStream.range(0, 5).forEach(number -> writeCommitted("key-" + number));

            assertThat(outbox().assignPositions(2)).isEqualTo(2);
            assertThat(outbox().countUnpositioned()).isEqualTo(3);
            assertThat(log().position()).isEqualTo(2);
            assertThat(outbox().assignPositions(2)).isEqualTo(2);
            assertThat(outbox().assignPositions(2)).isEqualTo(1);
            assertThat(outbox().assignPositions(2)).isZero();
            assertChained();
        }

        @Test
        void keepsVersionOrderWithinKey() {
            writeCommitted("b");
            writeCommitted("a");
            writeCommitted("a");
            harness().inTransaction(() -> {
                write("a");
                write("b");
            });

            while (outbox().assignPositions(1) > 0) {
                for (String key : List.of("a", "b")) {
                    List<EventMessage> events = log().readKey("orders", key, 0, ALL);
                    assertThat(events)
                            .extracting(EventMessage::version)
                            .isEqualTo(LongStream.rangeClosed(1, events.size())
                                    .boxed()
                                    .toList());
                    assertThat(events)
                            .isSortedAccordingTo((one, other) -> Long.compare(one.position(), other.position()));
                }
            }

            assertThat(log().readKey("orders", "a", 0, ALL)).hasSize(3);
            assertThat(log().readKey("orders", "b", 0, ALL)).hasSize(2);
            assertChained();
        }

        @Test
        void assignsEachEntryOnceOnConcurrentThreads() {
            for (int round = 0; round < 10; round++) {
                IntStream.range(0, 6).forEach(number -> writeCommitted("key-" + number));

                List<Integer> counts = TestThreads.race(2, worker -> outbox().assignPositions(4));

                assertThat(counts.get(0) + counts.get(1)).isEqualTo(6);
            }
            assertThat(log().position()).isEqualTo(60);
            assertChained();
        }

        @Test
        void isVisibleToOtherReplicas() {
            EventLog otherReplica = replica().eventLog();
            writeCommitted("a");

            assertThat(replica().outboxStore().countUnpositioned()).isEqualTo(1);
            assertThat(replica().outboxStore().assignPositions(ALL)).isEqualTo(1);

            assertThat(outbox().countUnpositioned()).isZero();
            assertThat(otherReplica.readAll(0, ALL))
                    .isEqualTo(log().readAll(0, ALL))
                    .hasSize(1);
        }
    }

    @Nested
    class Counting {

        @Test
        void includesOnlyCommittedEntriesWithoutPosition() {
            assertThat(outbox().countUnpositioned()).isZero();

            writeCommitted("a");
            writeCommitted("a");
            assertThat(outbox().countUnpositioned()).isEqualTo(2);

            outbox().assignPositions(1);
            assertThat(outbox().countUnpositioned()).isEqualTo(1);

            outbox().assignPositions(1);
            assertThat(outbox().countUnpositioned()).isZero();
        }
    }

    @Nested
    class OutboxStreams {

        @Test
        void mustNotBeEventSourced() {
            writer().append("orders", "a", 1);

            harness().inTransaction(() -> assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> write("b"))
                    .withMessageContaining("orders"));

            assertThat(outbox().countUnpositioned()).isZero();
            writer().append("orders", "a", 2);
        }

        @Test
        void rejectAppends() {
            writeCommitted("a");
            assertAppendIsRejected();

            outbox().assignPositions(ALL);
            assertAppendIsRejected();

            assertThat(writeCommitted("a").version()).isEqualTo(2);
        }

        private void assertAppendIsRejected() {
            assertThat(writer().rejections(
                                    events(writer().draft("notes", "n", 1)), events(writer().draft("orders", "b", 1))))
                    .singleElement()
                    .satisfies(rejection -> {
                        assertThat(rejection.unit()).isEqualTo(1);
                        assertThat(rejection.kind()).isEqualTo(Rejection.Kind.REJECTED);
                        assertThat(rejection.cause()).hasMessageContaining("orders");
                    });
        }

        @Test
        void rejectEitherAppendOrWriteWhenConcurrent() {
            Optional<HoldfastException> notAppended;
            Future<Optional<HoldfastException>> writing;
            try (TestThreads threads = new TestThreads();
                    CommitSession session = store().commitStore().open()) {
                session.lockHead();
                assertThat(session.write(List.of(events(writer().draft("orders", "a", 1)))))
                        .isEmpty();
                writing = threads.start(() -> failure(() -> writeCommitted("b")));
                TestThreads.completesSoon(writing); // it completes now, or waits for the commit
                notAppended = failure(session::commit);
            }

            Optional<HoldfastException> notWritten = TestThreads.result(writing);
            assertThat(notWritten.isPresent()).isNotEqualTo(notAppended.isPresent());
            notWritten.ifPresent(rejected -> assertThat(rejected)
                    .isInstanceOf(PermanentException.class)
                    .hasMessageStartingWith("stream orders is event-sourced; a stream is either event-sourced or an"
                            + " outbox stream"));
            assertThat(outbox().assignPositions(ALL)).isEqualTo(notWritten.isPresent() ? 0 : 1);
            assertThat(log().readStream("orders", 0, ALL)).hasSize(1);
        }

        private Optional<HoldfastException> failure(Runnable work) {
            try {
                work.run();
                return Optional.empty();
            } catch (HoldfastException e) {
                return Optional.of(e);
            }
        }
    }

    @Nested
    class Streams {

        @Test
        void listsStreamsThatWereWrittenTo() {
            assertThat(outbox().streams()).isEmpty();
            writer().append("notes", "n", 1);

            writeCommitted("a");
            harness().inTransaction(() -> outbox().write("returns", "r", event("r")));

            assertThat(outbox().streams()).containsExactlyInAnyOrder("orders", "returns");
            assertThat(replica().outboxStore().streams()).containsExactlyInAnyOrder("orders", "returns");
        }

        @Test
        void outlivesEntries() {
            writePositioned("a");
            harness().passTime(HOUR);
            outbox().evict("orders", ALL, harness().clock().instant());

            assertThat(outbox().streams()).containsExactly("orders");
        }
    }

    @Nested
    class Evicting {

        private Instant later() {
            harness().passTime(HOUR);
            return now();
        }

        private Instant now() {
            return harness().clock().instant();
        }

        @Test
        void removesEntriesAtOrBelowPosition() {
            writePositioned("a", "a", "a");

            assertThat(outbox().evict("orders", 2, later())).isEqualTo(2);

            assertThat(names()).containsExactly("orders/a#3");
            assertThat(log().readStream("orders", 0, ALL)).hasSize(1);
            assertThat(log().readKey("orders", "a", 0, ALL)).hasSize(1);
            assertThat(outbox().evict("orders", 2, later())).isZero();
        }

        @Test
        void removesOnlyEntriesPositionedBeforeTime() {
            writePositioned("a");
            harness().passTime(HOUR);
            Instant between = now().minus(HOUR.dividedBy(2));
            writePositioned("a");

            assertThat(outbox().evict("orders", ALL, between.minus(HOUR))).isZero();
            assertThat(outbox().evict("orders", ALL, between)).isEqualTo(1);

            assertThat(names()).containsExactly("orders/a#2");
        }

        @Test
        void measuresAgeFromPositionNotFromWrite() {
            writeCommitted("a");
            harness().passTime(HOUR);
            Instant between = now().minus(HOUR.dividedBy(2));
            outbox().assignPositions(ALL);

            assertThat(outbox().evict("orders", ALL, between)).isZero();

            assertThat(names()).hasSize(1);
        }

        @Test
        void keepsOtherStreamsAndEntriesWithoutPosition() {
            harness().inTransaction(() -> outbox().write("returns", "r", event("r")));
            writePositionedWithReturn();
            writer().append("notes", "n", 1);
            writeCommitted("a");

            assertThat(outbox().evict("orders", ALL, later())).isEqualTo(1);

            assertThat(names()).containsExactlyInAnyOrder("returns/r#1", "notes/n#1");
            assertThat(outbox().assignPositions(ALL)).isEqualTo(1);
            assertThat(names()).contains("orders/a#2");
        }

        private void writePositionedWithReturn() {
            writeCommitted("a");
            assertThat(outbox().assignPositions(ALL)).isEqualTo(2);
        }

        @Test
        void rejectsEventSourcedStream() {
            writer().append("notes", "n", 1);

            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> outbox().evict("notes", ALL, later()))
                    .withMessageContaining("notes");

            assertThat(names()).containsExactly("notes/n#1");
        }

        @Test
        void keepsVersionCountersOfKeys() {
            writePositioned("a", "a");
            outbox().evict("orders", ALL, later());

            assertThat(writeCommitted("a").version()).isEqualTo(3);
            assertThat(outbox().assignPositions(ALL)).isEqualTo(1);

            assertThat(log().readAll(0, ALL)).singleElement().satisfies(event -> {
                assertThat(event.version()).isEqualTo(3);
                assertThat(event.position()).isEqualTo(3);
            });
        }

        @Test
        void keepsHeadAndChainSoThatReadersDetectGap() {
            writePositioned("a", "a");
            StreamHead head = log().head("orders");
            StreamPosition afterFirst = log().readAll(0, 1).get(0).streamPosition();

            outbox().evict("orders", ALL, later());

            assertThat(log().head("orders")).isEqualTo(head);
            assertThat(log().heads()).containsExactly(head);
            assertThat(log().position()).isEqualTo(2);
            writePositioned("b");
            EventMessage next = log().readStream("orders", 0, ALL).get(0);
            assertThat(head.streamPosition().isFollowedBy(next)).isTrue();
            assertThat(afterFirst.isFollowedBy(next)).isFalse();
            assertThat(StreamPosition.beginning(log().identity()).isFollowedBy(next))
                    .isFalse();
        }
    }

    @Nested
    class Crashing {

        @Test
        void leavesNothingBeforeTransactionCommits() {
            Crash.before(CommitPoint.OUTBOX_COMMIT, harness(), () -> writeCommitted("a"));

            assertThat(outbox().countUnpositioned()).isZero();
            assertThat(writeCommitted("a").version()).isEqualTo(1);
            assertThat(outbox().assignPositions(ALL)).isEqualTo(1);
        }

        @Test
        void leavesEverythingAfterTransactionCommits() {
            Crash.after(CommitPoint.OUTBOX_COMMIT, harness(), () -> harness().inTransaction(() -> {
                write("a");
                write("b");
            }));

            assertThat(outbox().countUnpositioned()).isEqualTo(2);
            assertThat(writeCommitted("a").version()).isEqualTo(2);
            assertThat(outbox().assignPositions(ALL)).isEqualTo(3);
            assertChained();
        }

        @Test
        void leavesEntriesWithoutPositionBeforeAssignment() {
            writeCommitted("a");
            writeCommitted("b");
            Crash.before(CommitPoint.OUTBOX_ASSIGN_POSITIONS, harness(), () -> outbox().assignPositions(ALL));

            assertThat(outbox().countUnpositioned()).isEqualTo(2);
            assertThat(log().position()).isZero();
            writer().append("notes", "n", 1);
            assertThat(outbox().assignPositions(ALL)).isEqualTo(2);
            assertChained();
        }

        @Test
        void leavesEntriesPositionedOnceAfterAssignment() {
            writeCommitted("a");
            writeCommitted("b");
            Crash.after(CommitPoint.OUTBOX_ASSIGN_POSITIONS, harness(), () -> outbox().assignPositions(ALL));

            assertThat(outbox().countUnpositioned()).isZero();
            assertThat(outbox().assignPositions(ALL)).isZero();
            writer().append("notes", "n", 1);
            assertThat(log().position()).isEqualTo(3);
            assertChained();
        }

        @Test
        void leavesAllEntriesBeforeEviction() {
            writePositioned("a", "b");
            harness().passTime(HOUR);
            Instant now = harness().clock().instant();
            Crash.before(CommitPoint.OUTBOX_EVICT, harness(), () -> outbox().evict("orders", ALL, now));

            assertThat(names()).hasSize(2);
            assertThat(outbox().evict("orders", ALL, now)).isEqualTo(2);
            assertThat(names()).isEmpty();
        }

        @Test
        void leavesNothingToEvictAfterEviction() {
            writePositioned("a", "b");
            harness().passTime(HOUR);
            Instant now = harness().clock().instant();
            Crash.after(CommitPoint.OUTBOX_EVICT, harness(), () -> outbox().evict("orders", ALL, now));

            assertThat(names()).isEmpty();
            assertThat(outbox().evict("orders", ALL, now)).isZero();
            assertThat(writeCommitted("a").version()).isEqualTo(2);
            assertThat(outbox().assignPositions(ALL)).isEqualTo(1);
        }
    }
}
