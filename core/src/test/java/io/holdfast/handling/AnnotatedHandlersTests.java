package io.holdfast.handling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.EventType;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Upcaster;
import io.holdfast.fixture.Scenario;
import io.holdfast.handling.otherpackage.SameNameInOtherPackage;
import io.holdfast.processing.segment.CollectingContext;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Handler methods are called only by reflection. */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"})
public class AnnotatedHandlersTests {

    private static final List<Object> SEEN = new ArrayList<>();

    private final PayloadCodec codec = new PayloadCodec();
    private final EventMessage created = message(codec.encode(new Created("o-1")));

    AnnotatedHandlersTests() {
        SEEN.clear();
    }

    @Test
    void resolvesParametersByTypeInAnyOrder() throws Exception {
        EventContext context = context(created, null);

        component(new Object() {
                    @EventHandler
                    void on(EventContext given, Metadata metadata, Created event, EventMessage message) {
                        SEEN.addAll(List.of(given, metadata, event, message));
                    }
                })
                .invoke(created, codec, context);

        assertThat(SEEN).containsExactly(context, created.metadata(), new Created("o-1"), created);
    }

    @Test
    void passesLetterOnlyDuringReplay() throws Exception {
        DeadLetter letter = DeadLetter.notAttempted(new SequenceId("c", "s"), 0, created, Instant.EPOCH);
        Component component = component(new Object() {
            @EventHandler
            void on(@Nullable DeadLetter given, Created event) {
                SEEN.add(given == null ? "none" : given);
            }
        });

        component.invoke(created, codec, context(created, null));
        component.invoke(created, codec, context(created, letter));

        assertThat(SEEN).containsExactly("none", letter);
    }

    @Test
    void findsInheritedMethodsOfAnyVisibility() throws Exception {
        Component component = component(new Inheriting());

        handle(component, new Created("o-1"));
        handle(component, new Paid(7));
        handle(component, new Sent());

        assertThat(SEEN).containsExactly("private of the superclass", "its own", "default of the interface");
    }

    @Test
    void callsOverridingMethodOnceEvenIfNotAnnotated() throws Exception {
        Component component = component(new Overriding());

        handle(component, new Paid(7));
        handle(component, new Sent());

        assertThat(SEEN).containsExactly("overriding", "implementing");
    }

    @Test
    void doesNotTreatMethodOfSameNameAsOverriding() throws Exception {
        handle(component(new SameName()), new Created("o-1"));
        handle(component(new SameNameInOtherPackage()), new Created("o-1"));

        assertThat(SEEN).containsExactly("private of the superclass", "visible in its package");
    }

    @Test
    void findsMethodThatBindsTypeVariable() throws Exception {
        handle(component(new OfCreated()), new Created("o-1"));

        assertThat(SEEN).containsExactly(new Created("o-1"));
    }

    @Test
    void callsMethodVisibleOnlyThroughSubclass() throws Exception {
        handle(component(new PublicOfHidden()), new Created("o-1"));

        assertThat(SEEN).containsExactly("hidden");
    }

    @Test
    void returnsTheStageOfAnAsynchronousMethod() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();

        CompletionStage<?> returned = handle(
                component(new Object() {
                    @EventHandler
                    CompletableFuture<String> on(Created event) {
                        return stage;
                    }
                }),
                new Created("o-1"));

        assertThat(returned).isSameAs(stage);
    }

    @Test
    void rejectsNullInsteadOfAStage() {
        Component component = component(new Object() {
            @EventHandler
            @Nullable
            CompletionStage<?> on(Created event) {
                return null;
            }
        });

        assertThatThrownBy(() -> handle(component, new Created("o-1")))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("on(Created) returned null instead of a CompletionStage for Created");
    }

    @Test
    void rethrowsHandlerExceptionUnwrapped() {
        for (Throwable failure : List.of(new IOException("down"), new IllegalStateException(), new AssertionError())) {
            Component component = component(new Object() {
                @EventHandler
                void on(Created event) throws Throwable {
                    throw failure;
                }
            });

            assertThatThrownBy(() -> handle(component, new Created("o-1"))).isSameAs(failure);
        }
    }

    @Test
    void wrapsOnlyThrowablesThatAreNeitherExceptionNorError() {
        Throwable neither = new Throwable("neither");
        Component component = component(new Object() {
            @EventHandler
            void on(Created event) throws Throwable {
                throw neither;
            }
        });

        assertThatThrownBy(() -> handle(component, new Created("o-1")))
                .isInstanceOf(UndeclaredThrowableException.class)
                .hasCause(neither);
    }

    @Test
    void decodesPayloadAsParameterTypeUnderAnnotatedName() throws Exception {
        Component component = component(new Object() {
            @EventHandler("Created")
            void on(SeenOtherwise event) {
                SEEN.add(event);
            }
        });

        handle(component, new Created("o-1"));

        assertThat(SEEN).containsExactly(new SeenOtherwise("o-1"));
        assertThat(component.handles(codec.encode(new SeenOtherwise("o-1")))).isFalse();
    }

    @Test
    void decodesInterfaceThatNamesItsEventType() throws Exception {
        PayloadCodec abstracting = new PayloadCodec(
                JsonMapper.builder()
                        .addModule(new SimpleModule().addAbstractTypeMapping(Opening.class, Created.class))
                        .build(),
                PayloadCodec.DEFAULT_MAX_SIZE,
                List.of());

        component(new Object() {
                    @EventHandler
                    void on(Opening event) {
                        SEEN.add(event);
                    }
                })
                .invoke(created, abstracting, context(created, null));

        assertThat(SEEN).containsExactly(new Created("o-1"));
    }

    @Test
    void doesNotDecodePayloadWithoutPayloadParameter() throws Exception {
        EventMessage unreadable = message(new Payload("Created", 1, "not JSON"));

        component(new Object() {
                    @EventHandler("Created")
                    void on(EventMessage message) {
                        SEEN.add(message);
                    }
                })
                .invoke(unreadable, codec, context(unreadable, null));

        assertThat(SEEN).containsExactly(unreadable);
    }

    @Test
    void passesUpcastPayload() throws Exception {
        PayloadCodec upcasting = new PayloadCodec(
                JsonMapper.builder().build(),
                PayloadCodec.DEFAULT_MAX_SIZE,
                List.of(new Upcaster("Created", 1, "Opened", json -> json.put("by", "ann"))));

        component(new Object() {
                    @EventHandler("Opened")
                    void on(Payload payload) {
                        SEEN.add(payload);
                    }
                })
                .invoke(created, upcasting, context(created, null));

        assertThat(SEEN).containsExactly(new Payload("Opened", 2, "{\"id\":\"o-1\",\"by\":\"ann\"}"));
    }

    @Test
    void passesJson() throws Exception {
        handle(
                component(new Object() {
                    @EventHandler("Created")
                    void on(JsonNode json) {
                        SEEN.add(json.get("id").asString());
                    }
                }),
                new Created("o-1"));

        assertThat(SEEN).containsExactly("o-1");
    }

    @Test
    void ignoresOtherEventTypes() throws Exception {
        Component component = component(new Overriding());

        assertThat(handle(component, new Created("o-1"))).isNull();
        assertThat(CollectingContext.collect(component, created, "id", codec)).isEmpty();
    }

    @Test
    void combinesWithFunctionalHandlers() throws Exception {
        Component component = Component.of("orders", new Overriding())
                .on(Created.class, (event, context) -> SEEN.add(event))
                .build();

        handle(component, new Created("o-1"));
        handle(component, new Paid(7));

        assertThat(SEEN).containsExactly(new Created("o-1"), "overriding");
        assertThatThrownBy(() -> Component.of("orders", new Overriding()).on(Paid.class, (event, context) -> {}))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("Paid twice");
    }

    @Test
    void commitsEffects() {
        AggregateType<Paid> payments = AggregateType.of("payments", Paid.class, new Paid(0))
                .on(Paid.class, (last, event) -> event)
                .build();
        Component component = component(new Object() {
            @EventHandler
            void on(Created event, EventContext context) {
                context.decide(payments, event.id(), last -> List.of(new Paid(7)));
            }
        });

        Scenario.givenNothing()
                .when(component, "orders", "o-1", new Created("o-1"))
                .thenAppendedTo(payments, "o-1", new Paid(7));
    }

    private static Component component(Object handlers) {
        return Component.of("orders", handlers).build();
    }

    private @Nullable CompletionStage<?> handle(Component component, Object event) throws Exception {
        EventMessage message = message(codec.encode(event));
        return component.invoke(message, codec, context(message, null));
    }

    private static EventContext context(EventMessage message, @Nullable DeadLetter letter) {
        return new CollectingContext(message, new PartId(message.id(), "test/orders"), letter, null);
    }

    private static EventMessage message(Payload payload) {
        LogPosition place = new LogPosition(new LogIdentity(UUID.randomUUID(), 1), 1, 0, null);
        Metadata metadata = Metadata.none().with("tenant", "blue");
        return new EventMessage(
                UUID.randomUUID(), "elsewhere", "orders", "o-1", 1, Instant.EPOCH, metadata, payload, place);
    }

    record Created(String id) implements Opening {}

    record SeenOtherwise(String id) {}

    record Paid(int amount) {}

    record Sent() {}

    interface Sending {
        @EventHandler
        default void on(Sent event) {
            SEEN.add("default of the interface");
        }
    }

    static class Base {
        @EventHandler
        private void on(Created event) {
            SEEN.add("private of the superclass");
        }
    }

    static class SameName extends Base {
        private void on(Created event) {
            throw new AssertionError("this is another method");
        }
    }

    public static class VisibleInItsPackage {
        @EventHandler("Created")
        void on(EventMessage message) {
            SEEN.add("visible in its package");
        }
    }

    static class Inheriting extends Base implements Sending {
        @EventHandler
        void on(Paid event) {
            SEEN.add("its own");
        }
    }

    static class Overridden {
        @EventHandler
        void on(Paid event) {
            SEEN.add("overridden");
        }
    }

    static class Overriding extends Overridden implements Sending {
        @Override
        void on(Paid event) {
            SEEN.add("overriding");
        }

        @Override
        @EventHandler
        public void on(Sent event) {
            SEEN.add("implementing");
        }
    }

    abstract static class Of<E> {
        @EventHandler
        abstract void on(E event);
    }

    static class OfCreated extends Of<Created> {
        @Override
        @EventHandler
        void on(Created event) {
            SEEN.add(event);
        }
    }

    static class Hidden {
        @EventHandler
        public void on(Created event) {
            SEEN.add("hidden");
        }
    }

    public static class PublicOfHidden extends Hidden {
        @EventHandler
        public void on(Paid event) {
            SEEN.add("its own");
        }
    }

    @EventType("Created")
    interface Opening {
        String id();
    }
}
