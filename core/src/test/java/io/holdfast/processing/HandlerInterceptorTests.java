package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.NonRetryableException;
import io.holdfast.PermanentException;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.EventHandler;
import io.holdfast.handling.HandlerInterceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandlerInterceptorTests extends ProcessorScenario {

    private final List<String> calls = new ArrayList<>();

    private HandlerInterceptor recording(String name) {
        return (component, id, context, handler) -> {
            calls.add(name + " before " + id);
            var stage = handler.call();
            calls.add(name + " after");
            return stage;
        };
    }

    @Test
    void firstInterceptorIsOutermost() {
        EventProcessor processor = processor(
                "copier",
                builder -> builder.interceptor(recording("outer")).interceptor(recording("inner")),
                copying());
        appendInput("a", "a1");

        runFor(Duration.ofSeconds(1), processor);

        assertThat(calls)
                .containsExactly(
                        "outer before test/copier/copies",
                        "inner before test/copier/copies",
                        "inner after",
                        "outer after");
        assertThat(output()).containsExactly("a1");
    }

    @Test
    void interceptorFailureCountsAsHandlerFailure() {
        EventProcessor processor = processor(
                "copier",
                builder -> builder.interceptor((component, id, context, handler) -> {
                    throw new Forbidden();
                }),
                copying());
        appendInput("a", "a1");

        runFor(Duration.ofSeconds(1), processor);

        assertThat(handled).isEmpty();
        assertThat(processor.status().parked()).containsEntry(SequenceState.PENDING, 1);
    }

    @Test
    void createsComponentFromObjectThatDoesNotExistYet() {
        List<Object> supplied = new ArrayList<>();
        Component later = Component.of("copies", Copier.class, () -> {
                    supplied.add("supplied");
                    return new Copier();
                })
                .build();
        EventProcessor processor = processor("copier", later);
        assertThat(supplied).isEmpty();
        appendInput("a", "a1");

        runFor(Duration.ofSeconds(1), processor);

        assertThat(supplied).hasSize(1);
        assertThat(handled).containsExactly("a1");
    }

    @Test
    void reportsMistakesBeforeTheObjectExists() {
        assertThatThrownBy(() -> Component.of("copies", String.class, () -> {
                    throw new IllegalStateException("must not be called");
                }))
                .isInstanceOf(PermanentException.class)
                .hasMessage("component copies cannot be created from java.lang.String:\n"
                        + "  no method is annotated; add @EventHandler to the methods that handle events");
    }

    final class Copier {

        @EventHandler
        void on(TextAdded event, EventContext context) {
            copy(event, context);
        }
    }

    private static final class Forbidden extends RuntimeException implements NonRetryableException {

        private static final long serialVersionUID = 1L;

        Forbidden() {
            super("forbidden");
        }
    }
}
