package io.holdfast.tck.wire;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.tck.harness.TestThreads;
import io.holdfast.tck.harness.WireHarness;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.OperationServer;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Shared by the kits of {@link Wire#ask}: a service named kit. Its replica kit-1 serves requests of another process. */
public abstract class WireOperationsScenario {

    /** For what must happen, on a machine under load. */
    static final Duration LONG = Duration.ofSeconds(30);
    /** For a reply that never comes. */
    static final Duration SHORT = Duration.ofMillis(300);

    CountDownLatch free;
    WireHarness harness;

    /** Returns a harness around a new, empty wire. */
    protected abstract WireHarness newHarness();

    @BeforeEach
    void openWire() {
        harness = newHarness();
        free = new CountDownLatch(1);
    }

    @AfterEach
    void closeWire() {
        free.countDown();
        harness.close();
    }

    Wire wire() {
        return harness.wire();
    }

    Wire replica() {
        return harness.replica();
    }

    static OperationRequest request(String operation, String body) {
        return new OperationRequest(UUID.randomUUID(), "kit", operation, body);
    }

    static OperationRequest request(String body) {
        return request("echo", body);
    }

    /** Announces replicas of the service kit, and waits until both wires list them. */
    void announce(String... replicas) {
        for (String name : replicas) {
            announceFor("kit", name);
        }
    }

    void announceFor(String service, String name) {
        Announcement announcement = new Announcement(service, name, List.of(), List.of(), List.of(), List.of());
        await().atMost(LONG)
                .ignoreExceptionsInstanceOf(WireUnavailableException.class)
                .until(() -> {
                    wire().announce(announcement);
                    return wire().directory().contains(announcement)
                            && replica().directory().contains(announcement);
                });
    }

    static OperationServer server(UnaryOperator<String> replies) {
        return request -> Optional.of(CompletableFuture.completedFuture(replies.apply(request.body())));
    }

    /** Serves the replica kit-1 at the first wire. */
    Wire.Registration serve(UnaryOperator<String> replies) {
        announce("kit-1");
        return wire().serveOperations("kit", "kit-1", server(replies));
    }

    /** Asks the replica kit-1 from the second wire. */
    CompletableFuture<String> ask(OperationRequest request) {
        return replica().ask("kit-1", request, LONG);
    }

    CompletableFuture<String> askBriefly(OperationRequest request) {
        return replica().ask("kit-1", request, SHORT);
    }

    static String reply(CompletableFuture<String> future) {
        try {
            return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no reply", e);
        }
    }

    static Throwable failure(CompletableFuture<String> future) {
        Throwable thrown = assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> future.get(LONG.toSeconds(), TimeUnit.SECONDS))
                .actual();
        return Objects.requireNonNull(thrown.getCause());
    }

    /** Serves slowly: returns the body once the test counts down {@link #free}, or ends. */
    String awaitFree(String body) {
        TestThreads.await(free);
        return body;
    }

    /** Repeats a request that the wire may lose while it reconnects. */
    String replyAtLast(String body) {
        OperationRequest request = request(body);
        List<String> replies = new ArrayList<>();
        await().atMost(LONG)
                .ignoreExceptionsInstanceOf(ExecutionException.class)
                .until(() -> {
                    replies.add(replica()
                            .ask("kit-1", request, Duration.ofSeconds(2))
                            .get(LONG.toSeconds(), TimeUnit.SECONDS));
                    return true;
                });
        return replies.get(0);
    }
}
