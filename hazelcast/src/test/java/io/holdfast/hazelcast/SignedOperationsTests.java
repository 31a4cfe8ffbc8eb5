package io.holdfast.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.topic.ITopic;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.NoReplyException;
import io.holdfast.wire.OperationReply;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.RecordSigning;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and replies that others alter, forge or repeat. */
class SignedOperationsTests {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration BRIEF = Duration.ofMillis(500);
    private static final String ATTACKER = OperationMessage.REPLY_TOPIC + "attacker";

    private final RecordSigning.Key k1 = key("2026-01", "0123456789abcdef");
    private final RecordSigning.Key k2 = key("2026-07", "fedcba9876543210");
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final TestMember member = new TestMember();
    private final List<HazelcastWire> wires = new ArrayList<>();
    private final Queue<String> served = new ConcurrentLinkedQueue<>();
    private final CountDownLatch free = new CountDownLatch(1);

    @AfterEach
    void close() {
        free.countDown();
        wires.forEach(HazelcastWire::close);
        member.close();
    }

    private static RecordSigning.Key key(String id, String secret) {
        return new RecordSigning.Key(id, secret.getBytes(StandardCharsets.UTF_8));
    }

    private HazelcastWire wire(RecordSigning signing) {
        HazelcastWire wire = member.client().signing(signing).metrics(metrics).open();
        wires.add(wire);
        await().atMost(BOUND).pollInterval(Duration.ofMillis(5)).until(wire::isUp);
        return wire;
    }

    /** Opens a wire that serves the replica of this name. */
    private HazelcastWire server(RecordSigning signing, String replica) {
        HazelcastWire wire = wire(signing);
        wire.serveOperations("kit", replica, request -> {
            served.add(request.body());
            return Optional.of(CompletableFuture.completedFuture(request.body() + "!"));
        });
        return wire;
    }

    private static CompletableFuture<String> ask(HazelcastWire asker, String replica, Duration timeout) {
        Announcement announcement = new Announcement("kit", replica, List.of(), List.of(), List.of(), List.of());
        await().atMost(BOUND).until(() -> {
            asker.announce(announcement);
            return asker.directory().contains(announcement);
        });
        return asker.ask(replica, new OperationRequest(UUID.randomUUID(), "kit", "echo", "a"), timeout);
    }

    private static void assertReplies(HazelcastWire asker, String replica) {
        assertThat(ask(asker, replica, BOUND)).succeedsWithin(BOUND).isEqualTo("a!");
    }

    private static void assertNoReply(HazelcastWire asker, String replica) {
        assertThat(ask(asker, replica, BRIEF))
                .failsWithin(BOUND)
                .withThrowableThat()
                .withCauseInstanceOf(NoReplyException.class);
    }

    private ITopic<GenericRecord> topic(String name) {
        return member.instance().getTopic(name);
    }

    private static OperationRecords unsigned() {
        return new OperationRecords(RecordSigning.OFF, new RejectedRecords(new SimpleMeterRegistry()));
    }

    @Test
    void areVerifiedDependingOnTheMode() {
        HazelcastWire off = server(RecordSigning.OFF, "off");
        HazelcastWire accepting = server(RecordSigning.acceptingUnsigned(k1), "accepting");
        HazelcastWire requiring = server(RecordSigning.required(k1), "requiring");

        assertReplies(off, "off");
        assertReplies(off, "accepting");
        assertReplies(accepting, "off");
        assertReplies(accepting, "accepting");
        assertReplies(accepting, "requiring");
        assertReplies(requiring, "accepting");
        assertReplies(requiring, "requiring");
        assertThat(requiring.rejectedRecords() + accepting.rejectedRecords()).isZero();

        served.clear();
        assertNoReply(off, "requiring");
        assertThat(served).as("an unsigned request").isEmpty();
        assertThat(requiring.rejectedRecords()).isEqualTo(1);

        assertNoReply(requiring, "off");
        assertThat(requiring.rejectedRecords()).as("an unsigned reply").isEqualTo(2);
    }

    @Test
    void areAcceptedWhileKeysAreRotated() {
        HazelcastWire verifying = server(RecordSigning.required(k1, k2), "verifying");
        HazelcastWire signing = server(RecordSigning.required(k2, k1), "signing");
        HazelcastWire before = wire(RecordSigning.required(k1));

        assertReplies(verifying, "signing");
        assertReplies(signing, "verifying");
        assertReplies(before, "verifying");
        assertNoReply(before, "signing");
    }

    @Test
    void areRejectedWithAnotherSecret() {
        HazelcastWire accepting = server(RecordSigning.acceptingUnsigned(k1), "accepting");
        HazelcastWire guessing = wire(RecordSigning.required(key("2026-01", "not the same secret")));

        assertNoReply(guessing, "accepting");

        assertThat(served).isEmpty();
        assertThat(accepting.rejectedRecords()).isEqualTo(1);
        assertThat(metrics.get(RejectedRecords.METRIC)
                        .tag("reason", "signature")
                        .counters())
                .extracting(Counter::count)
                .containsExactly(1.0);
    }

    /** Captures a signed request, alters one field, and sends it in addition. */
    @ParameterizedTest
    @ValueSource(strings = {"attempt", "replyTo", "service", "replica", "id", "operation", "body"})
    void requestsAreRejectedIfAFieldWasAltered(String field) {
        HazelcastWire requiring = server(RecordSigning.required(k1), "kit-1");
        String target = OperationMessage.topic("kit-1");
        Queue<GenericRecord> captured = new ConcurrentLinkedQueue<>();
        topic(target).addMessageListener(message -> captured.add(message.getMessageObject()));
        assertReplies(requiring, "kit-1");
        await().atMost(BOUND).until(() -> captured.size() == 1);

        topic(target)
                .publish(captured.element()
                        .newBuilderWithClone()
                        .setString(
                                field,
                                field.equals("replyTo")
                                        ? ATTACKER
                                        : UUID.randomUUID().toString())
                        .build());

        await().atMost(BOUND).until(() -> requiring.rejectedRecords() == 1);
        assertThat(served).containsExactly("a");
    }

    /** The server is slow, so forged replies arrive first; the asker still gets the reply of the server. */
    @ParameterizedTest
    @ValueSource(strings = {"unsigned", "altered", "reflected"})
    void forgedRepliesAreRejected(String forgery) {
        HazelcastWire requiring = wire(RecordSigning.required(k1));
        requiring.serveOperations("kit", "kit-1", request -> {
            awaitFree();
            return Optional.of(CompletableFuture.completedFuture("genuine"));
        });
        topic(OperationMessage.topic("kit-1")).addMessageListener(message -> {
            GenericRecord request = message.getMessageObject();
            topic(request.getString("replyTo")).publish(forge(forgery, request));
        });

        CompletableFuture<String> reply = ask(requiring, "kit-1", BOUND);

        await().atMost(BOUND).until(() -> requiring.rejectedRecords() == 1 || reply.isDone());
        assertThat(reply).isNotDone();
        free.countDown();
        assertThat(reply).succeedsWithin(BOUND).isEqualTo("genuine");
    }

    private static GenericRecord forge(String forgery, GenericRecord request) {
        OperationMessage forged =
                OperationRecords.read(request).reply(new OperationReply(OperationReply.Outcome.SUCCEEDED, "forged"));
        GenericRecord unsigned = unsigned().write(forged);
        return switch (forgery) {
            case "unsigned" -> unsigned;
            case "altered" ->
                unsigned.newBuilderWithClone()
                        .setString("keyId", request.getString("keyId"))
                        .setArrayOfInt8("signature", request.getArrayOfInt8("signature"))
                        .build();
            default ->
                request.newBuilderWithClone()
                        .setString("kind", "SUCCEEDED")
                        .setString("replyTo", "")
                        .build();
        };
    }

    /** Genuine, but the reply to an earlier attempt, or not to this request. */
    @Test
    void repliesToOtherAttemptsAreIgnored() {
        HazelcastWire off = wire(RecordSigning.OFF);
        off.serveOperations("kit", "kit-1", request -> {
            awaitFree();
            return Optional.of(CompletableFuture.completedFuture("genuine"));
        });
        Queue<OperationMessage> requests = new ConcurrentLinkedQueue<>();
        topic(OperationMessage.topic("kit-1"))
                .addMessageListener(message -> requests.add(OperationRecords.read(message.getMessageObject())));
        CompletableFuture<String> reply = ask(off, "kit-1", BOUND);
        await().atMost(BOUND).until(() -> requests.size() == 1);
        OperationMessage request = requests.element();
        OperationMessage wrong = request.reply(new OperationReply(OperationReply.Outcome.SUCCEEDED, "wrong"));

        Stream.<UnaryOperator<OperationMessage>>of(
                        it -> altered(it, UUID.randomUUID().toString(), it.replica(), it.id()),
                        it -> altered(it, it.attempt(), "kit-2", it.id()),
                        it -> altered(
                                it,
                                it.attempt(),
                                it.replica(),
                                UUID.randomUUID().toString()))
                .forEach(change -> topic(request.replyTo()).publish(unsigned().write(change.apply(wrong))));
        assertReplies(server(RecordSigning.OFF, "kit-2"), "kit-2"); // behind the others
        assertThat(ask(off, "kit-2", BOUND)).succeedsWithin(BOUND);

        assertThat(reply).isNotDone();
        free.countDown();
        assertThat(reply).succeedsWithin(BOUND).isEqualTo("genuine");
    }

    private static OperationMessage altered(OperationMessage message, String attempt, String replica, String id) {
        return new OperationMessage(
                message.kind(), attempt, "", message.service(), replica, id, message.operation(), message.body());
    }

    private void awaitFree() {
        try {
            assertThat(free.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
