package io.holdfast.processing;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.fixture.ManualRetryTimer;
import io.holdfast.handling.Component;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.resilience.CircuitBreakerSettings;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Processors whose handlers call a dependency that can be down. */
abstract class ResilienceScenario extends ProcessorScenario {

    static final String PAYMENT = "payment-processing";

    /** The time after which an open breaker permits a call. */
    static final Duration OPEN = CircuitBreakerSettings.DEFAULT_WAIT_DURATION_IN_OPEN_STATE.plusMillis(1);

    final ManualRetryTimer timer = new ManualRetryTimer(clock);
    /** The dependencies that are down. */
    final Set<String> down = new HashSet<>();
    /** The texts for which dependencies were called, whether they responded or not. */
    final List<String> calls = new ArrayList<>();

    ResilienceSettings settings = ResilienceSettings.DEFAULT;

    /** The breakers and probes of one process, which a restart loses. */
    record Host(
            ResilienceSettings settings,
            ResilientServiceInvoker invoker,
            BreakerProbes probes,
            CallAudit calls,
            SimpleMeterRegistry meters) {

        CircuitBreaker breaker(String name) {
            boolean unused = invoker.isClosed(name); // creates it, with the settings
            return invoker.circuitBreakers().circuitBreaker(name);
        }

        void open(String name) {
            breaker(name).transitionToOpenState();
        }
    }

    Host newProcess() {
        BreakerProbes probes = new BreakerProbes(settings);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        ResilientServiceInvoker invoker = ResilientServiceInvoker.builder(settings, meters)
                .clock(clock)
                .timer(timer)
                .onClosed(probes::onBreakerClosed)
                .build();
        return new Host(settings, invoker, probes, new CallAudit(invoker), meters);
    }

    EventProcessor copier(Host process, Component... components) {
        return copier(process, builder -> builder, components);
    }

    EventProcessor copier(Host process, UnaryOperator<EventProcessorBuilder> more, Component... components) {
        return processor("copier", builder -> more.apply(in(process, builder)), components);
    }

    static EventProcessorBuilder in(Host process, EventProcessorBuilder builder) {
        return builder.resilience(process.settings(), process.calls(), process.probes());
    }

    Component guarded(String breaker) {
        return guarded("copies", breaker);
    }

    /** Calls the dependency behind the breaker, and copies. */
    Component guarded(String name, String breaker) {
        return Component.named(name)
                .on(TextAdded.class, (event, context) -> {
                    call(breaker, event.text());
                    copy(event, context);
                })
                .guardedBy(breaker)
                .build();
    }

    void call(String dependency, String text) {
        calls.add(text);
        if (down.contains(dependency)) {
            throw new IllegalStateException(dependency + " does not answer");
        }
    }

    void advance(Duration time, EventProcessor... replicas) {
        clock.advance(time);
        run(replicas);
    }

    /** Appends one event of this text to each of this many keys. */
    void appendForKeys(String text, int keys) {
        for (int key = 0; key < keys; key++) {
            appendInput("key-" + key, text);
        }
    }

    List<SequenceState> states() {
        return parked().stream().map(ParkedSequence::state).distinct().toList();
    }
}
