package io.holdfast.wire.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.wire.WireUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RepeatedRequestTests {

    private final List<CompletableFuture<String>> responses = new ArrayList<>();
    private final AtomicInteger signals = new AtomicInteger();
    private final RepeatedRequest<Integer, String> request = new RepeatedRequest<>(
            number -> {
                CompletableFuture<String> response = new CompletableFuture<>();
                responses.add(response);
                return response;
            },
            signals::incrementAndGet);

    @Test
    void signalsWhenAResponseArrives() {
        assertThat(request.poll(1)).isEmpty();
        assertThat(signals).hasValue(0);

        responses.get(0).complete("one");

        assertThat(signals).hasValue(1);
        assertThat(request.poll(1)).contains("one");
        assertThat(responses).hasSize(1);
    }

    @Test
    void repeatsAFailedRequestOnlyAtTheNextPoll() {
        assertThat(request.poll(1)).isEmpty();

        responses.get(0).completeExceptionally(new WireUnavailableException("no response"));

        assertThat(signals).as("a failure must not cause a busy loop").hasValue(0);
        assertThat(request.poll(1)).isEmpty();
        assertThat(request.poll(1)).isEmpty();
        assertThat(responses).hasSize(2);
    }

    @Test
    void dropsResponseToAnOutdatedRequest() {
        assertThat(request.poll(1)).isEmpty();
        assertThat(request.poll(2)).isEmpty();

        responses.get(0).complete("one");

        assertThat(request.poll(2)).isEmpty();
        responses.get(1).complete("two");
        assertThat(request.poll(2)).contains("two");
    }

    @Test
    void returnsPrefetchedResponse() {
        request.prefetch(1);
        responses.get(0).complete("one");

        assertThat(request.poll(1)).contains("one");
        assertThat(responses).hasSize(1);
    }
}
