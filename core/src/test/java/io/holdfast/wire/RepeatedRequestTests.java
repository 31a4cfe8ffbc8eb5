package io.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;

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
                CompletableFuture<String> answer = new CompletableFuture<>();
                responses.add(answer);
                return answer;
            },
            signals::incrementAndGet);

    @Test
    void signalsThatItsAnswerHasCome() {
        assertThat(request.poll(1)).isEmpty();
        assertThat(signals).hasValue(0);

        responses.get(0).complete("one");

        assertThat(signals).hasValue(1);
        assertThat(request.poll(1)).contains("one");
        assertThat(responses).hasSize(1);
    }

    @Test
    void isAskedAgainAfterAFailureAndNotBeforeSomebodyLooks() {
        assertThat(request.poll(1)).isEmpty();

        responses.get(0).completeExceptionally(new WireUnavailableException("nobody answers"));

        assertThat(signals).as("who waits does not spin on a failure").hasValue(0);
        assertThat(request.poll(1)).isEmpty();
        assertThat(request.poll(1)).isEmpty();
        assertThat(responses).hasSize(2);
    }

    @Test
    void dropsTheAnswerToWhatIsNoLongerAsked() {
        assertThat(request.poll(1)).isEmpty();
        assertThat(request.poll(2)).isEmpty();

        responses.get(0).complete("one");

        assertThat(request.poll(2)).isEmpty();
        responses.get(1).complete("two");
        assertThat(request.poll(2)).contains("two");
    }

    @Test
    void askedAheadHasItsAnswerWhenItIsAsked() {
        request.prefetch(1);
        responses.get(0).complete("one");

        assertThat(request.poll(1)).contains("one");
        assertThat(responses).hasSize(1);
    }
}
