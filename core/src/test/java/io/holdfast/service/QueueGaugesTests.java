package io.holdfast.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.fixture.ManualClock;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A metrics scrape reads the gauges of every component. It must not wait for each while the database is down. */
class QueueGaugesTests {

    private final ManualClock clock = new ManualClock();
    private final InMemoryStore store = new InMemoryStore("shop", clock);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private boolean down;
    private int reads;

    @BeforeEach
    void build() {
        HoldfastService.named("shop", failingStore(), new InMemoryWire())
                .clock(clock)
                .metrics(metrics)
                .processor(
                        "first",
                        processor ->
                                processor.reads("orders").calls(component("a")).calls(component("b")))
                .processor("second", processor -> processor.reads("orders").calls(component("c")))
                .build();
    }

    @Test
    void queriesUnavailableStoreOnceForAllGauges() {
        down = true;

        assertThat(gaugeValues()).hasSize(6).containsOnly(Double.NaN);
        assertThat(gaugeValues()).containsOnly(Double.NaN);
        assertThat(reads).isEqualTo(1);
    }

    @Test
    void queriesStoreAgainAfterRetryInterval() {
        down = true;
        gaugeValues();
        down = false;
        clock.advance(Duration.ofSeconds(10));

        assertThat(gaugeValues()).hasSize(6).containsOnly(0.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void queriesStoreAgainAfterRetryIntervalIfTheClockIsSetMeanwhile(int hours) {
        down = true;
        gaugeValues();
        down = false;

        clock.setForward(Duration.ofHours(hours));

        assertThat(gaugeValues()).as("not early").containsOnly(Double.NaN);
        clock.advance(Duration.ofSeconds(10));
        assertThat(gaugeValues()).containsOnly(0.0);
    }

    private List<Double> gaugeValues() {
        return Stream.of("dlq.pending", "dlq.oldest.age")
                .flatMap(name -> metrics.get(name).gauges().stream())
                .map(Gauge::value)
                .toList();
    }

    private static Component component(String name) {
        return Component.named(name).on(String.class, (event, context) -> {}).build();
    }

    private Store failingStore() {
        DeadLetterStore letters = proxy(DeadLetterStore.class, (self, method, arguments) -> {
            reads++;
            if (down) {
                throw new RetryableException("the database is unavailable");
            }
            return method.invoke(store.deadLetterStore(), arguments);
        });
        return proxy(
                Store.class,
                (self, method, arguments) ->
                        method.getName().equals("deadLetterStore") ? letters : method.invoke(store, arguments));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
