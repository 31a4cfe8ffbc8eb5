package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.deposit;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Requester;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.StreamPosition;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.DeadlineReplica;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.NetworkedStore;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.TestThreads;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenClaim;
import io.holdfast.view.RowKey;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The network drops a replica's connections without closing them. Every call ends: it takes effect on another
 * connection, or fails and can be retried. No call waits for a response that never arrives.
 */
public abstract class DeadConnectionsKit extends StoreKit {

    private static final Duration LEASE = Duration.ofMinutes(1);
    /** A pool may have more dead connections than it replaces at once. */
    private static final int MAX_ATTEMPTS = 10;

    private NetworkedStore network;
    private EngineUnderTest engine;

    @BeforeEach
    void openBehindNetwork() {
        require(Capability.NETWORK);
        network = harness().openBehindNetwork();
        engine = new EngineUnderTest(network.store(), harness().clock());
    }

    @AfterEach
    void closeNetwork() {
        if (network != null) {
            network.close();
        }
    }

    /** A call of a port, and the durable write in the middle of it. */
    enum Call {
        READ_LOG("eventLog", null),
        COMMIT("commitStore", CommitPoint.COMMIT),
        WRITE_EVENTS("commitStore", CommitPoint.WRITE_EVENTS),
        FIRE_DEADLINE("viewStore", CommitPoint.WRITE_ROWS),
        BEGIN_UNIT("unitTransactions", null),
        READ_VIEW("viewStore", null),
        PARK("deadLetterStore", CommitPoint.LETTERS_CHANGE),
        COUNT_LETTERS("deadLetterStore", null),
        LIST_ENTRIES("entryStore", null),
        STAGE_ACTION("actionStore", CommitPoint.ACTION_STAGE),
        CLAIM("tokenStore", CommitPoint.TOKEN_CLAIM),
        RENEW("tokenStore", CommitPoint.TOKEN_RENEW),
        PUBLISH("outboxStore", CommitPoint.OUTBOX_ASSIGN_POSITIONS),
        REGISTER_GROUP("consumerGroups", CommitPoint.GROUP_REGISTER),
        RECORD_SERVICES("knownServices", CommitPoint.SERVICES_RECORD),
        GUARD("idempotencyGuard", CommitPoint.GUARD_CLAIM);

        private final String port;
        private final Optional<CommitPoint> point;

        Call(String port, @Nullable CommitPoint point) {
            this.port = port;
            this.point = Optional.ofNullable(point);
        }

        static Stream<Call> withPoint() {
            return Stream.of(values()).filter(call -> call.point.isPresent());
        }
    }

    /** Fails if a port is added that this kit does not call. */
    @Test
    void everyPortOfAStoreIsCalled() {
        assertThat(Stream.of(Call.values()).map(call -> call.port))
                .containsAll(
                        Stream.of(Store.class.getMethods()).map(Method::getName).toList());
    }

    @ParameterizedTest
    @EnumSource
    void callEndsOnConnectionsThatWereCutBefore(Call call) {
        call(call, "warm-up");

        network.swallowOpenConnections();

        retryUntilItSucceeds(call);
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.tck.store.DeadConnectionsKit$Call#withPoint")
    void callEndsOnAConnectionThatIsCutMeanwhile(Call call) {
        call(call, "warm-up");

        harness().crashPoints().runAt(new Moment(call.point.orElseThrow(), false), network::swallowOpenConnections);

        retryUntilItSucceeds(call);
        assertThat(harness().crashPoints().isArmed()).isFalse();
    }

    /** The committer retries, so that the caller gets an answer, and it finds what the lost commit has done. */
    @ParameterizedTest
    @MethodSource
    void commandTakesEffectOnceWhereverItsConnectionIsCut(Moment moment) {
        engine.run(deposit("ann", 1));
        harness().crashPoints().runAt(moment, network::swallowOpenConnections);

        for (int attempt = 0; attempt < MAX_ATTEMPTS && !executes(this::depositKeyed); attempt++) {}

        assertThat(harness().crashPoints().isArmed()).isFalse();
        assertThat(store().eventLog().readKey(Accounts.STREAM, "ann", 0, 10)).hasSize(2);
        assertThat(new EngineUnderTest(store(), harness().clock()).balance("ann"))
                .isEqualTo(11);
    }

    static List<Moment> commandTakesEffectOnceWhereverItsConnectionIsCut() {
        return Moment.of(CommitPoint.LOCK_HEAD, CommitPoint.WRITE_EVENTS, CommitPoint.COMMIT);
    }

    /** The database still has the transaction that locked the head, and does not know that its client is gone. */
    @Test
    void anotherReplicaCommitsAlthoughADeadConnectionHasLockedTheHead() {
        harness().crashPoints().runAt(new Moment(CommitPoint.LOCK_HEAD, true), network::swallowOpenConnections);
        executes(this::depositKeyed);
        EngineUnderTest other = new EngineUnderTest(store(), harness().clock());

        for (int attempt = 0; attempt < MAX_ATTEMPTS && !executes(() -> other.run(deposit("bob", 5))); attempt++) {}

        assertThat(other.balance("bob")).isEqualTo(5);
    }

    private void depositKeyed() {
        var result = engine.submit("key", deposit("ann", 10));
        engine.commit();
        result.join();
    }

    private void retryUntilItSucceeds(Call call) {
        int attempts = 1;
        while (!executes(() -> call(call, call.name()))) {
            assertThat(++attempts).as("attempts of %s", call).isLessThanOrEqualTo(MAX_ATTEMPTS);
        }
    }

    /** @return whether the work succeeded; it may fail, but must end */
    private static boolean executes(Runnable work) {
        try (TestThreads threads = new TestThreads()) {
            return TestThreads.result(threads.start(() -> {
                try {
                    work.run();
                    return true;
                } catch (RetryableException e) {
                    return false;
                } catch (CompletionException e) {
                    if (e.getCause() instanceof RetryableException) {
                        return false;
                    }
                    throw e;
                }
            }));
        }
    }

    private void call(Call call, String name) {
        Store store = network.store();
        switch (call) {
            case READ_LOG -> store.eventLog().position();
            case COMMIT, WRITE_EVENTS -> engine.run(deposit(name, 5));
            case FIRE_DEADLINE -> fireDeadline(name);
            case BEGIN_UNIT -> writeApplicationRow(store, name);
            case STAGE_ACTION -> store.actionStore().stage(replay(name));
            case READ_VIEW -> store.viewStore().find(List.of(new RowKey("board", name)));
            case PARK -> queue(store).enqueue(name, event(), Cause.of(new IllegalStateException(name)));
            case COUNT_LETTERS -> store.deadLetterStore().counts("kit/kit/c");
            case LIST_ENTRIES -> store.entryStore().find(EntryQuery.PENDING);
            case RECORD_SERVICES -> store.knownServices().recordLive(List.of(name));
            case CLAIM -> claim(store, name);
            case RENEW -> store.tokenStore().renew(List.of(claim(store, "renewed")), LEASE);
            case PUBLISH -> publish(store, name);
            case REGISTER_GROUP -> store.consumerGroups().register(name, "orders");
            case GUARD -> store.idempotencyGuard().claim(new IdempotencyKey("kit", name), LEASE);
        }
    }

    private void fireDeadline(String name) {
        engine.run(context -> context.schedule("reminder", name, Duration.ZERO, new Noted(name)));
        new DeadlineReplica(network.store(), engine, harness().clock()).fire();
    }

    private void writeApplicationRow(Store store, String text) {
        try (UnitTransaction transaction = store.unitTransactions().begin()) {
            harness().applicationRows().write(transaction, text);
        } catch (IllegalStateException e) {
            throw new RetryableException("what a handler's own statement throws", e);
        }
    }

    private void publish(Store store, String key) {
        harness().inTransaction(() -> store().outboxStore()
                .write("rows", key, new NewEvent(codec.encode(new Noted(key)), Metadata.none())));
        store.outboxStore().assignPositions(10);
    }

    private TokenClaim claim(Store store, String consumer) {
        Segment segment = new Segment(consumer, 0);
        store.tokenStore()
                .initialize(
                        segment,
                        Map.of(
                                "orders",
                                StreamPosition.beginning(store.eventLog().identity())));
        return store.tokenStore().claim(segment, "kit", LEASE).orElseThrow();
    }

    private SequencedDeadLetterQueue queue(Store store) {
        return new SequencedDeadLetterQueue(
                store.deadLetterStore(),
                "queue",
                "kit",
                "kit/kit/c",
                QueueLimits.DEFAULT,
                harness().clock());
    }

    private EventMessage event() {
        return new EngineUnderTest(store(), harness().clock())
                .run(deposit("parked", 1))
                .events()
                .get(0);
    }

    private static Action replay(String name) {
        UUID event = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        LetterItem item = new LetterItem(new SequenceId("component", name), event, "processor", 0);
        return Action.of(name, Action.Kind.REPLAY, name, name, Requester.CODE, List.of(item));
    }
}
