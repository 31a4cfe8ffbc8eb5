package io.holdfast.tck.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.NonRetryableException;
import io.holdfast.event.EventIds;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Capability;
import io.holdfast.wire.GroupRegistration;
import io.holdfast.wire.GroupReport;
import io.holdfast.wire.NoLiveReplicaException;
import io.holdfast.wire.NoReplyException;
import io.holdfast.wire.OperationFailedException;
import io.holdfast.wire.OperationRejectedException;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.OperationThreads;
import io.holdfast.wire.PageRequest;
import io.holdfast.wire.StreamPage;
import io.holdfast.wire.StreamServer;
import io.holdfast.wire.UnknownOperationException;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@link Wire#ask} if the server fails, is slow, or cannot be reached. */
public abstract class WireOperationsFailureKit extends WireOperationsScenario {

    private static final LogIdentity LOG = new LogIdentity(EventIds.random(Instant.EPOCH), 1);

    @Nested
    class Failures {

        @Test
        void nameTheUnknownOperation() {
            announce("kit-1");
            wire().serveOperations("kit", "kit-1", request -> Optional.empty());

            assertThat(failure(ask(request("dance", ""))))
                    .isInstanceOf(UnknownOperationException.class)
                    .hasMessageContaining("operation dance of service kit at replica kit-1")
                    .hasMessageContaining("nothing was done");
        }

        @Test
        void ofTheServerAreRetryable() {
            serve(body -> {
                throw new IllegalStateException("the log is unavailable, half \ud83d");
            });

            assertThat(failure(ask(request("a"))))
                    .isInstanceOf(OperationFailedException.class)
                    .hasMessageContaining("operation echo of service kit at replica kit-1 failed:"
                            + " IllegalStateException, the log is unavailable, half ?");
        }

        @Test
        void ofTheServerArePermanentIfItSaysSo() {
            serve(body -> {
                throw new Refused("no such letter");
            });

            assertThat(failure(ask(request("a"))))
                    .isInstanceOf(OperationRejectedException.class)
                    .hasMessageEndingWith("was rejected: Refused, no such letter");
        }

        @Test
        void ofALateReplyAreLikeThoseOfAnImmediateOne() {
            announce("kit-1");
            CompletableFuture<String> late = new CompletableFuture<>();
            wire().serveOperations("kit", "kit-1", request -> Optional.of(late.thenApply(body -> body)));
            CompletableFuture<String> asked = ask(request("a"));

            late.completeExceptionally(new Refused("no such letter"));

            assertThat(failure(asked))
                    .isInstanceOf(OperationRejectedException.class)
                    .hasMessageEndingWith("was rejected: Refused, no such letter");
        }

        @Test
        void includeErrorsOfTheServer() {
            serve(body -> {
                throw new AssertionError("x".repeat(2 * OperationRequest.MAX_BYTES));
            });

            assertThat(failure(ask(request("a"))).getMessage())
                    .contains("AssertionError, xxx")
                    .hasSizeLessThan(2_000);
        }

        @ParameterizedTest
        @ValueSource(strings = {"x", "ü", "世"})
        void includeRepliesThatAreTooLarge(String letter) {
            serve(body -> letter.repeat(OperationRequest.MAX_BYTES + 1));

            assertThat(failure(ask(request("a"))))
                    .isInstanceOf(OperationRejectedException.class)
                    .hasMessageContaining("the reply of operation echo of service kit has ")
                    .hasMessageContaining("the wire carries at most 1048576");
        }

        @Test
        void areImmediateIfNoReplicaIsLive() {
            wire().serveOperations("kit", "kit-1", server(body -> body));

            assertThat(failure(ask(request("a"))))
                    .isInstanceOf(NoLiveReplicaException.class)
                    .hasMessageContaining("does not list replica kit-1");
        }

        @Test
        void areImmediateIfTheReplicaBelongsToAnotherService() {
            AtomicInteger calls = new AtomicInteger();
            announceFor("shop", "shop-1");
            wire().serveOperations("shop", "shop-1", server(body -> {
                calls.incrementAndGet();
                return body;
            }));

            assertThat(failure(replica().ask("shop-1", request("a"), LONG))).isInstanceOf(NoLiveReplicaException.class);

            announceFor("kit", "shop-1"); // the directory is wrong
            assertThat(failure(replica().ask("shop-1", request("a"), LONG)))
                    .isInstanceOf(NoLiveReplicaException.class)
                    .hasMessageContaining("belongs to another service");
            assertThat(calls).hasValue(0);
        }

        @Test
        void sayThatTheOutcomeIsUnknownIfThereIsNoReply() {
            serve(body -> awaitFree(body));

            assertThat(failure(askBriefly(request("a"))))
                    .isInstanceOf(NoReplyException.class)
                    .hasMessageContaining("at replica kit-1: no reply within PT0.3S; it may have been served");
        }
    }

    @Nested
    class SlowServers {

        private final AtomicInteger started = new AtomicInteger();

        /** Occupies as many threads of the replica kit-1. */
        private List<CompletableFuture<String>> occupy(int threads) {
            serve(body -> {
                started.incrementAndGet();
                return body.equals("slow") ? awaitFree(body) : body;
            });
            List<CompletableFuture<String>> slow = new ArrayList<>();
            for (int request = 0; request < threads; request++) {
                slow.add(ask(request("slow")));
            }
            await().atMost(LONG).until(() -> started.get() == Math.min(threads, OperationThreads.DEFAULT_THREADS));
            return slow;
        }

        @Test
        void doNotBlockOtherRequests() {
            List<CompletableFuture<String>> slow = occupy(OperationThreads.DEFAULT_THREADS - 1);

            assertThat(reply(ask(request("fast")))).isEqualTo("fast");

            free.countDown();
            assertThat(slow).allSatisfy(reply -> assertThat(reply(reply)).isEqualTo("slow"));
        }

        @Test
        void blockNothingIfTheyReplyLater() {
            announce("kit-1");
            CompletableFuture<String> late = new CompletableFuture<>();
            wire().serveOperations(
                            "kit",
                            "kit-1",
                            request -> Optional.of(
                                    request.body().equals("slow") ? late : CompletableFuture.completedFuture("fast")));
            List<CompletableFuture<String>> slow = new ArrayList<>();
            for (int request = 0; request <= OperationThreads.DEFAULT_THREADS; request++) {
                slow.add(ask(request("slow")));
            }

            assertThat(reply(ask(request("a")))).isEqualTo("fast");

            late.complete("late");
            assertThat(slow).allSatisfy(reply -> assertThat(reply(reply)).isEqualTo("late"));
        }

        @Test
        void doNotBlockOtherReplicasOfTheProcess() {
            occupy(OperationThreads.DEFAULT_THREADS + 1);
            announce("kit-2");
            wire().serveOperations("kit", "kit-2", server(body -> body));

            assertThat(reply(replica().ask("kit-2", request("fast"), LONG))).isEqualTo("fast");
        }

        @Test
        void doNotBlockPagesAndAnnouncements() throws Exception {
            StreamPage page = new StreamPage(new StreamHead("notes", LOG, 0, null), List.of(), List.of());
            wire().serve(List.of("notes"), new SinglePage(page));

            occupy(2 * OperationThreads.DEFAULT_THREADS);

            announce("kit-2");
            assertThat(replica().request(new PageRequest("notes", 0, 1)).get(LONG.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(page);
        }

        @Test
        void rejectFurtherRequestsAtOnce() {
            List<CompletableFuture<String>> all =
                    new ArrayList<>(occupy(OperationThreads.DEFAULT_THREADS + OperationThreads.DEFAULT_QUEUE));
            all.add(ask(request("slow")));

            await().atMost(LONG).until(() -> all.stream().anyMatch(CompletableFuture::isDone));
            all.stream().filter(CompletableFuture::isDone).forEach(rejected -> assertThat(failure(rejected))
                    .isExactlyInstanceOf(WireUnavailableException.class)
                    .hasMessageContaining("too many requests are waiting there; nothing was done"));

            free.countDown();
            assertThat(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)))
                    .failsWithin(LONG);
            assertThat(all.stream().filter(reply -> !reply.isCompletedExceptionally()))
                    .hasSize(OperationThreads.DEFAULT_THREADS + OperationThreads.DEFAULT_QUEUE);
            assertThat(started).hasValue(OperationThreads.DEFAULT_THREADS + OperationThreads.DEFAULT_QUEUE);
        }
    }

    @Nested
    class Outage {

        @BeforeEach
        void requireOutage() {
            Capability.OUTAGE.require(harness.missingCapabilities());
        }

        @Test
        void failsRequestsAtOnce() {
            serve(body -> body);
            harness.disconnect();

            assertThat(failure(ask(request("a")))).isExactlyInstanceOf(WireUnavailableException.class);
        }

        @Test
        void losesReplies() {
            AtomicInteger calls = new AtomicInteger();
            serve(body -> {
                calls.incrementAndGet();
                return awaitFree(body);
            });
            CompletableFuture<String> pending = replica().ask("kit-1", request("a"), Duration.ofSeconds(5));
            await().atMost(LONG).until(() -> calls.get() == 1);

            harness.disconnect();
            free.countDown();

            assertThat(failure(pending)).isInstanceOf(NoReplyException.class);
        }

        @Test
        void endsOnReconnect() {
            serve(body -> body);
            harness.disconnect();
            announceAfterReconnect();

            assertThat(replyAtLast("a")).isEqualTo("a");
        }

        @Test
        void acceptsServersUntilReconnect() {
            harness.disconnect();
            wire().serveOperations("kit", "kit-1", server(body -> body));
            announceAfterReconnect();

            assertThat(replyAtLast("a")).isEqualTo("a");
        }

        private void announceAfterReconnect() {
            harness.reconnect();
            announce("kit-1");
        }
    }

    @Test
    void requestsAreServedAfterAnEmptyRestart() {
        Capability.EMPTY_RESTART.require(harness.missingCapabilities());
        serve(body -> body);

        harness.restartEmpty();
        announce("kit-1");

        assertThat(replyAtLast("a")).isEqualTo("a");
    }

    private record SinglePage(StreamPage page) implements StreamServer {

        @Override
        public StreamPage page(PageRequest request) {
            return page;
        }

        @Override
        public StreamPosition register(GroupRegistration registration) {
            return StreamPosition.beginning(LOG);
        }

        @Override
        public void report(GroupReport report) {}
    }

    private static final class Refused extends RuntimeException implements NonRetryableException {

        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }
}
