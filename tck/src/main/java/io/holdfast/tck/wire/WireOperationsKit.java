package io.holdfast.tck.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.tck.harness.TestThreads;
import io.holdfast.wire.NoReplyException;
import io.holdfast.wire.OperationClient;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.OperationServer;
import io.holdfast.wire.Wire;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link Wire#ask} and {@link Wire#serveOperations}: who serves a request, and who gets the reply. */
public abstract class WireOperationsKit extends WireOperationsScenario {

    @Nested
    class Replies {

        @Test
        void reachTheAsker() {
            Queue<OperationRequest> requests = new ConcurrentLinkedQueue<>();
            announce("kit-1");
            wire().serveOperations("kit", "kit-1", request -> {
                requests.add(request);
                return Optional.of(CompletableFuture.completedFuture("{\"reply\":\"Grüße, 世界 😀\"}"));
            });
            OperationRequest request = request("{\"text\":\"Grüße, 世界 😀\"}");

            assertThat(reply(ask(request))).isEqualTo("{\"reply\":\"Grüße, 世界 😀\"}");
            assertThat(requests).containsExactly(request);
        }

        @Test
        void reachOnlyTheAskerEvenUnderTheSameId() {
            serve(body -> body.equals("slow") ? awaitFree(body) : body);
            UUID id = UUID.randomUUID();
            CompletableFuture<String> slow = ask(new OperationRequest(id, "kit", "echo", "slow"));

            assertThat(reply(wire().ask("kit-1", new OperationRequest(id, "kit", "echo", "other"), LONG)))
                    .isEqualTo("other");
            assertThat(reply(ask(new OperationRequest(id, "kit", "echo", "second"))))
                    .isEqualTo("second");

            assertThat(slow).isNotDone();
            free.countDown();
            assertThat(reply(slow)).isEqualTo("slow");
        }

        @Test
        void areEmptyOrAsLargeAsAllowed() {
            String largest = "ü".repeat(OperationRequest.MAX_BYTES / 2);
            serve(body -> body);

            assertThat(reply(ask(request("")))).isEmpty();
            assertThat(reply(ask(request(largest)))).isEqualTo(largest);
        }

        @Test
        void belongToTheirRequestsWhenManyAreConcurrent() {
            serve(body -> body + "!");

            List<List<String>> replies = TestThreads.race(4, worker -> IntStream.range(0, 50)
                    .mapToObj(number -> reply(
                            (worker % 2 == 0 ? wire() : replica()).ask("kit-1", request(worker + "." + number), LONG)))
                    .toList());

            for (int worker = 0; worker < 4; worker++) {
                int asker = worker;
                assertThat(replies.get(worker))
                        .isEqualTo(IntStream.range(0, 50)
                                .mapToObj(number -> asker + "." + number + "!")
                                .toList());
            }
        }

        @Test
        void areIgnoredWhenLate() {
            AtomicInteger calls = new AtomicInteger();
            CountDownLatch late = new CountDownLatch(1);
            serve(body -> {
                if (!body.equals("repeated")) {
                    return body;
                }
                if (calls.getAndIncrement() == 0) {
                    TestThreads.await(late);
                    return "late";
                }
                return awaitFree("in time");
            });
            OperationRequest request = request("repeated");
            assertThat(failure(askBriefly(request))).isInstanceOf(NoReplyException.class);
            CompletableFuture<String> repeated = ask(request);
            await().atMost(LONG).until(() -> calls.get() == 2);

            late.countDown();
            for (int round = 0; round < 20; round++) { // the late reply arrives before the last of these
                assertThat(reply(ask(request("later")))).isEqualTo("later");
            }

            assertThat(repeated).isNotDone();
            free.countDown();
            assertThat(reply(repeated)).isEqualTo("in time");
        }
    }

    @Nested
    class Requests {

        private final Queue<String> served = new ConcurrentLinkedQueue<>();

        private OperationServer recording(String replica) {
            return server(body -> {
                served.add(replica + " " + body);
                return replica;
            });
        }

        @Test
        void reachExactlyTheNamedReplica() {
            announce("kit-1", "kit-2");
            wire().serveOperations("kit", "kit-1", recording("kit-1"));
            replica().serveOperations("kit", "kit-2", recording("kit-2"));

            assertThat(reply(replica().ask("kit-1", request("a"), LONG))).isEqualTo("kit-1");
            assertThat(reply(replica().ask("kit-2", request("b"), LONG))).isEqualTo("kit-2");
            assertThat(reply(wire().ask("kit-2", request("c"), LONG))).isEqualTo("kit-2");

            assertThat(served).containsExactly("kit-1 a", "kit-2 b", "kit-2 c");
        }

        @Test
        void toAServiceReachExactlyOneReplica() {
            announce("kit-1", "kit-2");
            wire().serveOperations("kit", "kit-1", recording("kit-1"));
            replica().serveOperations("kit", "kit-2", recording("kit-2"));
            OperationClient client = new OperationClient(replica(), Clock.systemUTC(), LONG);

            String chosen = reply(client.ask(request("a"), LONG));

            reply(replica().ask("kit-1", request("end"), LONG)); // behind what the replicas may have received before
            reply(replica().ask("kit-2", request("end"), LONG));
            assertThat(served).containsExactlyInAnyOrder(chosen + " a", "kit-1 end", "kit-2 end");
        }

        @Test
        void mayBeRepeatedUnderTheirId() {
            List<OperationRequest> requests = new ArrayList<>();
            announce("kit-1");
            wire().serveOperations("kit", "kit-1", request -> {
                requests.add(request);
                return Optional.of(CompletableFuture.completedFuture(String.valueOf(requests.size())));
            });
            OperationRequest request = request("a");

            assertThat(reply(ask(request))).isEqualTo("1");
            assertThat(reply(ask(request))).isEqualTo("2");

            assertThat(requests).containsExactly(request, request);
        }

        @Test
        void reachTheNewestRegistrationOfAReplica() {
            announce("kit-1");
            wire().serveOperations("kit", "kit-1", recording("older"));
            Wire.Registration newer = wire().serveOperations("kit", "kit-1", recording("newer"));
            assertThat(reply(ask(request("a")))).isEqualTo("newer");

            newer.close();
            newer.close();

            assertThat(reply(ask(request("b")))).isEqualTo("older");
            assertThat(served).containsExactly("newer a", "older b");
        }

        @Test
        void areServedAsLongAsTheRegistrationIsOpen() {
            Wire.Registration registration = serve(body -> body);
            assertThat(reply(ask(request("a")))).isEqualTo("a");

            registration.close();
            registration.close();

            assertThat(failure(askBriefly(request("b")))).isInstanceOf(NoReplyException.class);
        }
    }
}
