package io.holdfast.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.ringbuffer.Ringbuffer;
import io.holdfast.event.EventMessage;
import io.holdfast.wire.RecordSigning;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An idle reader waits with one pending read and rereads nothing: ringbuffers are long, and most readers are idle most
 * of the time.
 */
class IdleRingReaderTests {

    private static final Duration BOUND = Duration.ofSeconds(15);
    private static final int ROUNDS = 5;

    private final TestMember member = new TestMember();
    private final HazelcastWire publisher =
            HazelcastWire.over(member.instance()).open();
    private final TestEvents events = new TestEvents();
    private final AtomicLong nanos = new AtomicLong();

    /** Start indexes of the reads that wait for a record. */
    private final List<Long> blockingReads = new CopyOnWriteArrayList<>();

    private final AtomicInteger checks = new AtomicInteger();
    private volatile boolean dropResults;
    private final Link link = new Link(
            recordingProxy(HazelcastInstance.class, member.instance()),
            false,
            new RingSettings(10_000, 0),
            Duration.ofSeconds(5));
    private final RingReader reader = new RingReader(
            link,
            new EventRecords(RecordSigning.OFF, new RejectedRecords(new SimpleMeterRegistry())),
            "notes",
            stream -> {},
            nanos::get);

    IdleRingReaderTests() {
        link.start();
    }

    @AfterEach
    void close() {
        link.close();
        publisher.close();
        member.close();
    }

    @Test
    void startsOneReadOfAnEmptyRing() {
        reader.resume();
        await().atMost(BOUND).until(() -> !blockingReads.isEmpty());

        checkRepeatedly();

        assertThat(blockingReads).containsExactly(0L);
    }

    @Test
    void startsOneReadForTheNextRecordAfterReadingAll() {
        publisher.publish(events.next("notes", 20));
        reader.resume();
        poll(20);
        await().atMost(BOUND).until(() -> blockingReads.contains(20L));

        checkRepeatedly();

        assertThat(blockingReads).containsExactly(0L, 20L);
    }

    @Test
    void receivesRecordsThatArriveWhileIdle() {
        publisher.publish(events.next("notes", 20));
        reader.resume();
        poll(20);
        checkRepeatedly();

        List<EventMessage> late = events.next("notes", 3);
        publisher.publish(late);

        assertThat(poll(3)).isEqualTo(late);
    }

    /** As after the promotion of a backup: the pending read waits at an index of the new ring, and nothing fails. */
    @Test
    void detectsReplacedRingOfTheSameLength() {
        publisher.publish(events.next("notes", 20));
        reader.resume();
        await().atMost(BOUND).until(() -> !blockingReads.isEmpty());
        dropResults = true;
        poll(20);
        await().atMost(BOUND).until(() -> {
            nanos.addAndGet(Duration.ofMillis(100).toNanos());
            assertThat(reader.poll(1)).isEmpty();
            return blockingReads.contains(20L);
        });
        dropResults = false;
        List<EventMessage> newer = events.next("notes", 20);
        EventRecords records = new EventRecords(RecordSigning.OFF, new RejectedRecords(new SimpleMeterRegistry()));
        member.replace("notes", newer.stream().map(records::write).toList());

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        reader.checkPendingRead();

        assertThat(poll(20)).isEqualTo(newer);
    }

    private void checkRepeatedly() {
        for (int round = 1; round <= ROUNDS; round++) {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            reader.checkPendingRead();
            int expected = round;
            await().atMost(BOUND).until(() -> checks.get() >= expected);
        }
    }

    private List<EventMessage> poll(int count) {
        List<EventMessage> received = new ArrayList<>();
        await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(() -> {
            nanos.addAndGet(Duration.ofMillis(100).toNanos());
            received.addAll(reader.poll(100));
            return received.size() >= count;
        });
        return received;
    }

    /** Records the reads of ringbuffers. */
    private <T> T recordingProxy(Class<T> type, T real) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        if (method.getName().equals("readManyAsync")) {
                            boolean isLost = dropResults; // evaluated before the test can see the recorded read
                            recordRead((long) arguments[0], (int) arguments[1], (CompletionStage<?>) result);
                            return isLost ? new CompletableFuture<>() : result;
                        }
                        return result instanceof Ringbuffer<?> ring ? recordingProxy(Ringbuffer.class, ring) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void recordRead(long from, int minCount, CompletionStage<?> result) {
        if (minCount > 0) {
            blockingReads.add(from);
        } else {
            var unused = result.whenComplete((found, failure) -> checks.incrementAndGet());
        }
    }
}
