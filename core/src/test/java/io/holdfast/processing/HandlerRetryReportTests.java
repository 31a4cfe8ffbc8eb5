package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.event.RetryOnRetryEvent;
import io.holdfast.NonRetryableException;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.handling.Component;
import io.holdfast.resilience.RetryEventListener;
import io.holdfast.resilience.RetryOverrides;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The attempts of event handlers appear in the retry metrics and events, once each, when they are durable. */
class HandlerRetryReportTests extends ResilienceScenario {

    private final List<String> events = new ArrayList<>();

    @BeforeEach
    void withoutJitter() {
        settings = settings.retry(RetryOverrides.NONE.jitter(0));
    }

    private Host listeningTo(String name) {
        Host process = newProcess();
        process.invoker().retry(name); // creates it
        process.invoker()
                .retries()
                .retry(name)
                .getEventPublisher()
                .onEvent(event -> events.add(event.getEventType()
                        + " "
                        + event.getNumberOfRetryAttempts()
                        + (event instanceof RetryOnRetryEvent retry ? " " + retry.getWaitInterval() : "")));
        return process;
    }

    private static Retry.Metrics reported(Host process, String name) {
        return process.invoker().retries().retry(name).getMetrics();
    }

    private static double ignored(Host process, String name) {
        return process.meters()
                .get(RetryEventListener.IGNORED)
                .tag("name", name)
                .counter()
                .count();
    }

    @Test
    void reportsSuccessWithoutRetryUnderTheBreakersName() {
        appendForKeys("x", 3);
        Host process = listeningTo(PAYMENT);

        run(copier(process, guarded(PAYMENT)));

        assertThat(reported(process, PAYMENT).getNumberOfSuccessfulCallsWithoutRetryAttempt())
                .isEqualTo(3);
        assertThat(events).isEmpty();
    }

    @Test
    void reportsRetriesAndLateSuccess() {
        appendInput("a", "a1");
        rejected.add("a1");
        Host process = listeningTo(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));

        run(processor);
        advance(Duration.ofMillis(500), processor);
        rejected.clear();
        advance(Duration.ofSeconds(1), processor);

        assertThat(output()).containsExactly("a1");
        assertThat(events).containsExactly("RETRY 1 PT0.5S", "RETRY 2 PT1S", "SUCCESS 2");
        assertThat(reported(process, PAYMENT).getNumberOfSuccessfulCallsWithRetryAttempt())
                .isEqualTo(1);
        assertThat(reported(process, PAYMENT).getNumberOfSuccessfulCallsWithoutRetryAttempt())
                .isZero();
    }

    @Test
    void reportsExhaustedAttemptsUnderTheNameOfAComponentWithoutBreaker() {
        appendInput("a", "a1");
        failing.add("a1");
        Host process = listeningTo("copies");

        runFor(Duration.ofSeconds(5), copier(process, copying()));

        assertThat(events).containsExactly("RETRY 1 PT0.5S", "RETRY 2 PT1S", "ERROR 3");
        assertThat(reported(process, "copies").getNumberOfFailedCallsWithRetryAttempt())
                .isEqualTo(1);
        assertThat(process.invoker().circuitBreakers().find("copies")).isEmpty();
    }

    @Test
    void reportsBusinessErrorAsIgnored() {
        appendForKeys("x", 4);
        Host process = listeningTo(PAYMENT);
        Component declining = Component.named("copies")
                .on(
                        TextAdded.class,
                        (event, context) -> context.decide(decision -> {
                            throw new Declined();
                        }))
                .guardedBy(PAYMENT)
                .build();

        run(copier(process, declining));

        assertThat(ignored(process, PAYMENT)).isEqualTo(4);
        assertThat(reported(process, PAYMENT).getNumberOfFailedCallsWithoutRetryAttempt())
                .isEqualTo(4);
    }

    @Test
    void continuesTheCountOfAnotherProcess() {
        appendInput("a", "a1");
        failing.add("a1");
        EventProcessor first = copier(newProcess(), copying());
        run(first);
        first.release();
        Host process = listeningTo("copies");

        runFor(Duration.ofSeconds(5), copier(process, copying()));

        assertThat(events).containsExactly("RETRY 2 PT1S", "ERROR 3");
    }

    @Test
    void reportsNothingForHeldEvents() {
        appendForKeys("x", 3);
        Host process = listeningTo(PAYMENT);
        process.open(PAYMENT);
        down.add(PAYMENT);
        EventProcessor processor = copier(process, guarded(PAYMENT));

        run(processor);
        advance(OPEN, processor);
        assertThat(calls).as("a failed probe").hasSize(1);
        assertThat(events).isEmpty();
        down.clear();
        advance(OPEN, processor);

        assertThat(output()).hasSize(3);
        assertThat(events).isEmpty();
        assertThat(reported(process, PAYMENT).getNumberOfSuccessfulCallsWithoutRetryAttempt())
                .isEqualTo(3);
    }

    @Test
    void reportsEachAttemptOnceHoweverOftenTheUnitIsBuilt() {
        appendInput("a", "a1");
        appendInput("b", "b1");
        appendInput("c", "c1");
        failing.add("a1");
        rejected.add("b1");
        Host process = listeningTo("copies");

        run(copier(process, copying()));

        assertThat(events).containsExactlyInAnyOrder("RETRY 1 PT0.5S", "RETRY 1 PT0.5S");
        assertThat(reported(process, "copies").getNumberOfSuccessfulCallsWithoutRetryAttempt())
                .isEqualTo(1);
    }

    @Test
    void reportsEventThatThePolicySkipsAsFailed() {
        appendInput("a", "a1", "a2");
        failing.add("a1");
        Host process = listeningTo("copies");

        run(copier(
                process,
                builder -> builder.deadLetters(
                        new QueueConfiguration().enqueuePolicy((letter, cause) -> Decisions.doNotEnqueue())),
                copying()));

        assertThat(output()).containsExactly("a2");
        assertThat(events).containsExactly("ERROR 1");
    }

    @Test
    void reportsReplayedLettersEachWithItsOwnAttempts() {
        settings = settings.retry(RetryOverrides.NONE.maxAttempts(1));
        appendInput("a", "a1", "a2");
        failing.add("a1");
        Host process = listeningTo("copies");
        EventProcessor processor = copier(process, copying());
        run(processor);
        failing.clear();

        var replayed = processor.deadLetterProcessor("copies").processAny();
        run(processor);

        assertThat(replayed).isCompletedWithValue(true);
        assertThat(events).containsExactly("ERROR 1", "SUCCESS 1");
        assertThat(reported(process, "copies").getNumberOfSuccessfulCallsWithoutRetryAttempt())
                .as("a2")
                .isEqualTo(1);
    }

    private static final class Declined extends RuntimeException implements NonRetryableException {
        private static final long serialVersionUID = 1L;

        Declined() {
            super("declined");
        }
    }

    @Test
    void reportsRecoveredEventsAsFailed() {
        appendInput("a", "a1");
        appendInput("b", "b1");
        rejected.add("a1");
        Host process = listeningTo("copies");
        EventProcessor processor = copier(
                process,
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            copy(event, context);
                            if (event.text().equals("b1")) {
                                throw new Declined();
                            }
                        })
                        .retry(RetryOverrides.NONE.maxAttempts(2))
                        .recoverWith((context, failure) -> {})
                        .build());

        run(processor);
        advance(Duration.ofMillis(500), processor);

        assertThat(parked()).isEmpty();
        assertThat(events).containsExactlyInAnyOrder("RETRY 1 PT0.5S", "ERROR 2", "IGNORED_ERROR 0");
        assertThat(reported(process, "copies").getNumberOfTotalCalls()).isEqualTo(3);
    }

    @Test
    void reportsTheFailureOfTheHandlerIfItsRecoveryFailsToo() {
        appendInput("b", "b1");
        Host process = listeningTo("copies");

        run(copier(
                process,
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            throw new Declined();
                        })
                        .recoverWith((context, failure) -> {
                            throw new IllegalStateException("retryable, but no attempt");
                        })
                        .build()));

        assertThat(parked()).hasSize(1);
        assertThat(events).containsExactly("IGNORED_ERROR 0");
    }
}
