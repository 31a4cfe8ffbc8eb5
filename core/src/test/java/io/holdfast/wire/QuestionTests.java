package io.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QuestionTests {

    private final List<CompletableFuture<String>> asked = new ArrayList<>();
    private final AtomicInteger signals = new AtomicInteger();
    private final Question<Integer, String> question = new Question<>(
            number -> {
                CompletableFuture<String> answer = new CompletableFuture<>();
                asked.add(answer);
                return answer;
            },
            signals::incrementAndGet);

    @Test
    void signalsThatItsAnswerHasCome() {
        assertThat(question.ask(1)).isEmpty();
        assertThat(signals).hasValue(0);

        asked.get(0).complete("one");

        assertThat(signals).hasValue(1);
        assertThat(question.ask(1)).contains("one");
        assertThat(asked).hasSize(1);
    }

    @Test
    void isAskedAgainAfterAFailureAndNotBeforeSomebodyLooks() {
        assertThat(question.ask(1)).isEmpty();

        asked.get(0).completeExceptionally(new WireUnavailableException("nobody answers"));

        assertThat(signals).as("who waits does not spin on a failure").hasValue(0);
        assertThat(question.ask(1)).isEmpty();
        assertThat(question.ask(1)).isEmpty();
        assertThat(asked).hasSize(2);
    }

    @Test
    void dropsTheAnswerToWhatIsNoLongerAsked() {
        assertThat(question.ask(1)).isEmpty();
        assertThat(question.ask(2)).isEmpty();

        asked.get(0).complete("one");

        assertThat(question.ask(2)).isEmpty();
        asked.get(1).complete("two");
        assertThat(question.ask(2)).contains("two");
    }

    @Test
    void askedAheadHasItsAnswerWhenItIsAsked() {
        question.askAhead(1);
        asked.get(0).complete("one");

        assertThat(question.ask(1)).contains("one");
        assertThat(asked).hasSize(1);
    }
}
