package io.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryWire;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Which replica the client asks next. Time passes only while a scripted replica does not reply. */
class OperationClientTests {

    private static final OperationRequest REQUEST = new OperationRequest(new UUID(0, 7), "shop", "count", "{}");

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final InMemoryWire memory = new InMemoryWire(10, clock, CommitPoint.Observer.NONE);
    private final Map<String, Supplier<CompletableFuture<String>>> replies = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final OperationClient client = new OperationClient(scripted(), clock);

    /** A wire whose replicas reply as {@link #replies} says. */
    private Wire scripted() {
        return (Wire) Proxy.newProxyInstance(
                Wire.class.getClassLoader(), new Class<?>[] {Wire.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("ask")) {
                        assertThat(arguments[1]).isEqualTo(REQUEST);
                        asked.add(arguments[0] + " for " + arguments[2]);
                        return reply((String) arguments[0], (Duration) arguments[2]);
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private CompletableFuture<String> reply(String replica, Duration timeout) {
        Supplier<CompletableFuture<String>> reply = replies.get(replica);
        if (reply != null) {
            return reply.get();
        }
        clock.advance(timeout);
        return failed(new NoReplyException(REQUEST, replica, timeout));
    }

    private static CompletableFuture<String> failed(RuntimeException failure) {
        return CompletableFuture.failedFuture(failure);
    }

    private void announce(String service, String replica) {
        memory.announce(new Announcement(service, replica, List.of(), List.of(), List.of(), List.of()));
        clock.advance(Duration.ofMillis(1));
    }

    private void fail(String replica, RuntimeException failure) {
        replies.put(replica, () -> failed(failure));
    }

    private void reply(String replica, String body) {
        replies.put(replica, () -> CompletableFuture.completedFuture(body));
    }

    private Throwable failure() {
        try {
            throw new AssertionError("replied " + client.ask(REQUEST).get());
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void asksTheReplicaThatAnnouncedItselfLast() {
        announce("shop", "shop-1");
        announce("shop", "shop-2");
        announce("shop", "shop-0");
        announce("stock", "stock-1");
        reply("shop-0", "7");

        assertThat(client.ask(REQUEST)).isCompletedWithValue("7");
        assertThat(asked).containsExactly("shop-0 for PT2S");
    }

    @Test
    void failsAtOnceIfTheDirectoryListsNoReplicaOfTheService() {
        announce("stock", "stock-1");

        assertThat(failure())
                .isInstanceOf(NoLiveReplicaException.class)
                .hasMessageContaining("operation count of service shop: the service directory lists no live replica");
        assertThat(asked).isEmpty();
    }

    @Test
    void failsAtOnceIfAllReplicasAreSilent() {
        announce("shop", "shop-1");
        clock.advance(Duration.ofSeconds(11));

        assertThat(failure()).isInstanceOf(NoLiveReplicaException.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void asksTheNextReplicaAfterTheAttemptTimeout() {
        announce("shop", "shop-1");
        announce("shop", "shop-2");
        reply("shop-1", "7");

        assertThat(client.ask(REQUEST)).isCompletedWithValue("7");
        assertThat(asked).containsExactly("shop-2 for PT2S", "shop-1 for PT2S");
    }

    @Test
    void repeatsRequestsThatMayBeLostUntilTheTimeout() {
        announce("shop", "shop-1");
        announce("shop", "shop-2");

        assertThat(failure()).isInstanceOf(NoReplyException.class);
        assertThat(asked).containsExactly("shop-2 for PT2S", "shop-1 for PT2S", "shop-2 for PT1S");
    }

    @Test
    void asksTheNextReplicaAtOnceIfOneIsBusyOrOfAnotherVersion() {
        announce("shop", "shop-1");
        announce("shop", "shop-2");
        announce("shop", "shop-3");
        fail("shop-3", new WireUnavailableException("busy"));
        fail("shop-2", new UnknownOperationException("too old"));
        reply("shop-1", "7");

        assertThat(client.ask(REQUEST)).isCompletedWithValue("7");
        assertThat(asked).containsExactly("shop-3 for PT2S", "shop-2 for PT2S", "shop-1 for PT2S");
    }

    @Test
    void failsWithTheLastReasonIfNoReplicaServes() {
        announce("shop", "shop-1");
        announce("shop", "shop-2");
        fail("shop-2", new WireUnavailableException("busy"));
        fail("shop-1", new UnknownOperationException("too old"));

        assertThat(failure()).isInstanceOf(UnknownOperationException.class);
        assertThat(asked).hasSize(2);
    }

    @Test
    void doesNotHideThatAReplicaMayHaveServedTheRequest() {
        announce("shop", "shop-1");
        announce("shop", "shop-2");
        replies.put("shop-1", () -> {
            clock.advance(Duration.ofSeconds(3)); // no time is left to ask shop-2 again
            return failed(new WireUnavailableException("busy"));
        });

        assertThat(failure()).isInstanceOf(NoReplyException.class);
        assertThat(asked).containsExactly("shop-2 for PT2S", "shop-1 for PT2S");
    }

    @Test
    void doesNotRepeatWhatAServerAnswered() {
        announce("shop", "shop-1");
        announce("shop", "shop-2");
        fail("shop-2", new OperationFailedException("the database is down"));

        assertThat(failure()).isInstanceOf(OperationFailedException.class);
        assertThat(asked).hasSize(1);
    }

    @Test
    void givesUpIfTheWireFailsAtOnceAgainAndAgain() {
        announce("shop", "shop-1");
        fail("shop-1", new NoReplyException(REQUEST, "shop-1", "the connection was lost"));

        assertThat(failure()).isInstanceOf(NoReplyException.class).hasMessageContaining("the connection was lost");
        assertThat(asked).hasSize(ReplicaAttempts.MAX_ATTEMPTS_PER_REPLICA);
    }

    @Test
    void asksReplicasThatServe() throws Exception {
        announce("shop", "shop-1");
        InMemoryWire wire = InMemoryWire.singleThreaded(10, clock, CommitPoint.Observer.NONE);
        wire.announce(new Announcement("shop", "shop-1", List.of(), List.of(), List.of(), List.of()));
        wire.serveOperations(
                "shop", "shop-1", request -> Optional.of(CompletableFuture.completedFuture(request.operation())));

        assertThat(new OperationClient(wire, clock).ask(REQUEST)).isCompletedWithValue("count");
    }
}
