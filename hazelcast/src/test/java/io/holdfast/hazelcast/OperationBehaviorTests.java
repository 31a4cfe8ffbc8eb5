package io.holdfast.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.topic.ITopic;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.NoReplyException;
import io.holdfast.wire.OperationClient;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.OperationServer;
import io.holdfast.wire.RecordSigning;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Behavior of requests on this wire beyond the contract kit. */
class OperationBehaviorTests {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final TestMember member = new TestMember();
    private final HazelcastWire wire =
            member.client().timeout(Duration.ofSeconds(1)).open();
    private final CountDownLatch called = new CountDownLatch(1);
    private final CompletableFuture<String> free = new CompletableFuture<>();

    OperationBehaviorTests() {
        await().atMost(BOUND).until(wire::isUp);
    }

    @AfterEach
    void close() {
        free.complete("");
        wire.close();
        member.close();
    }

    private static OperationRequest request(String body) {
        return new OperationRequest(UUID.randomUUID(), "shop", "echo", body);
    }

    private static final OperationServer ECHO =
            request -> Optional.of(CompletableFuture.completedFuture(request.body()));

    private void announce(HazelcastWire announcer, String replica) {
        Announcement announcement = new Announcement("shop", replica, List.of(), List.of(), List.of(), List.of());
        await().atMost(BOUND).until(() -> {
            announcer.announce(announcement);
            return wire.directory().contains(announcement);
        });
    }

    private String blocked() {
        called.countDown();
        return free.join();
    }

    @Test
    void failsPendingRequestsWhenClosed() {
        HazelcastWire asker = member.client().open();
        await().atMost(BOUND).until(asker::isUp);
        wire.serveOperations("shop", "shop-1", request -> Optional.of(CompletableFuture.completedFuture(blocked())));
        await().atMost(BOUND).until(() -> {
            announce(asker, "shop-1");
            return asker.directory().size() == 1;
        });
        CompletableFuture<String> pending = asker.ask("shop-1", request("a"), Duration.ofHours(1));
        await().atMost(BOUND).until(() -> called.getCount() == 0);

        asker.close();

        assertThat(pending)
                .failsWithin(BOUND)
                .withThrowableThat()
                .withCauseInstanceOf(NoReplyException.class)
                .withMessageContaining("the wire was closed");
        assertThat(asker.ask("shop-1", request("a"), Duration.ofHours(1))).failsWithin(BOUND);
    }

    @Test
    void asksAnotherReplicaWhenAProcessDied() {
        HazelcastWire dying = member.client().open();
        await().atMost(BOUND).until(dying::isUp);
        dying.serveOperations("shop", "shop-1", ECHO);
        wire.serveOperations("shop", "shop-2", ECHO);
        announce(dying, "shop-2");
        announce(dying, "shop-1"); // the most recent announcement
        dying.close(); // the directory still lists its replica
        OperationClient client = new OperationClient(wire, Clock.systemUTC(), Duration.ofMillis(500));

        assertThat(client.ask(request("a"), Duration.ofSeconds(9)))
                .succeedsWithin(BOUND)
                .isEqualTo("a");
    }

    /** From a later version, or from an unrelated client. */
    @Test
    void ignoresMessagesThatItCannotDecode() {
        Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
        try {
            wire.serveOperations("shop", "shop-1", ECHO);
            announce(wire, "shop-1");
            GenericRecord strange = GenericRecordBuilder.compact("strange")
                    .setString("kind", "Later")
                    .build();
            OperationMessage elsewhere = OperationMessage.of("shop-1", request("a"), "someone.elses.topic");
            OperationRecords records =
                    new OperationRecords(RecordSigning.OFF, new RejectedRecords(new SimpleMeterRegistry()));
            Queue<Object> leaked = new ConcurrentLinkedQueue<>();
            member.instance().getTopic("someone.elses.topic").addMessageListener(leaked::add);
            ITopic<GenericRecord> requests = member.instance().getTopic(OperationMessage.topic("shop-1"));

            requests.publish(strange);
            requests.publish(records.write(elsewhere));
            member.instance().getDistributedObjects().stream()
                    .filter(object -> object.getName().startsWith(OperationMessage.REPLY_TOPIC))
                    .forEach(replies -> member.instance()
                            .<GenericRecord>getTopic(replies.getName())
                            .publish(strange));

            assertThat(wire.ask("shop-1", request("a"), BOUND))
                    .succeedsWithin(BOUND)
                    .isEqualTo("a");
            assertThat(leaked).isEmpty();
            assertThat(uncaught).isEmpty();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void servesOnThreadsNamedAfterTheReplica() {
        Queue<String> threads = new ConcurrentLinkedQueue<>();
        wire.serveOperations("shop", "shop-1", request -> {
            threads.add(Thread.currentThread().getName());
            return Optional.of(CompletableFuture.completedFuture(""));
        });
        announce(wire, "shop-1");

        assertThat(wire.ask("shop-1", request("a"), BOUND)).succeedsWithin(BOUND);

        assertThat(threads).containsExactly("holdfast-operations-shop-1");
    }
}
