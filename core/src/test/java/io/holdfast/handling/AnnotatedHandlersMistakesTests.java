package io.holdfast.handling;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Payload;
import java.util.List;
import java.util.concurrent.Future;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Mistakes are reported when the component is created, before any event arrives. */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"})
class AnnotatedHandlersMistakesTests {

    @Test
    void namesComponentAndClass() {
        assertRejected(new Empty())
                .hasMessage("component orders cannot be created from " + Empty.class.getName()
                        + ":\n  no method is annotated; add @EventHandler to the methods that handle events");
    }

    @Test
    void rejectsClassInsteadOfInstance() {
        assertRejected(Empty.class).hasMessageContaining("it is a class; pass an instance of " + Empty.class.getName());
    }

    @Test
    void rejectsTwoPayloads() {
        assertRejected(new Object() {
                    @EventHandler
                    void on(Created event, EventMessage message, String text) {}
                })
                .hasMessageContaining("on(Created, EventMessage, String) has 2 payload parameters (Created, String)");
    }

    @Test
    void rejectsMethodWithoutEventType() {
        assertRejected(new Object() {
                    @EventHandler
                    void on(EventMessage message) {}
                })
                .hasMessageContaining("on(EventMessage) has no event type; add a payload parameter or name the type");
    }

    @Test
    void rejectsInvalidEventTypeNames() {
        assertRejected(new Object() {
                    @EventHandler(" ")
                    void on(Created event) {}
                })
                .hasMessageContaining("on(Created) has an invalid @EventHandler name: event type must not be blank");
    }

    @Test
    void rejectsTwoMethodsForOneEventType() {
        assertRejected(new Object() {
                    @EventHandler
                    void first(Created event) {}

                    @EventHandler("Created")
                    void second(EventMessage message) {}
                })
                .hasMessageContaining("second(EventMessage) handles event type Created, as does ")
                .hasMessageContaining("first(Created); keep one of them");
    }

    @Test
    void rejectsPrimitivesAndArrays() {
        assertRejected(new Object() {
                    @EventHandler("Counted")
                    void counted(int count) {}

                    @EventHandler("Listed")
                    void listed(Created... events) {}
                })
                .hasMessageContaining("counted(int) declares the payload as int; declare a dedicated class")
                .hasMessageContaining("listed(Created[]) declares the payload as Created[]; declare a dedicated class");
    }

    @Test
    void rejectsTypeArguments() {
        assertRejected(new Object() {
                    @EventHandler("Listed")
                    void on(List<Created> events) {}
                })
                .hasMessageContaining(
                        "on(List) declares the payload as java.util.List<" + Created.class.getName() + ">");
    }

    @Test
    void rejectsOverriddenMethodWhosePayloadIsATypeVariable() {
        assertRejected(new OfCreated()).hasMessageContaining("on(Object) declares the payload as E");
    }

    @Test
    void rejectsClassesThatAreNotEventClasses() {
        assertRejected(new Object() {
                    @EventHandler
                    void inHoldfast(Payload payload) {}

                    @EventHandler
                    void inJson(ObjectNode json) {}

                    @EventHandler
                    void inJava(Object event) {}

                    @EventHandler
                    void inSuperclass(Happened event) {}
                })
                .hasMessageContaining(
                        "inHoldfast(Payload) declares the payload as Payload, which is not an event class;")
                .hasMessageContaining(
                        "inJson(ObjectNode) declares the payload as ObjectNode, which is not an event class;")
                .hasMessageContaining("inJava(Object) declares the payload as Object, which is not an event class;")
                .hasMessageContaining(
                        "inSuperclass(Happened) declares the payload as Happened, which is not an event class;");
    }

    @Test
    void rejectsReturnTypesThatWouldBeIgnored() {
        assertRejected(new Object() {
                    @EventHandler
                    boolean on(Created event) {
                        return true;
                    }

                    @EventHandler("Paid")
                    Future<?> on(EventMessage message) {
                        throw new UnsupportedOperationException();
                    }
                })
                .hasMessageContaining("on(Created) returns boolean; return void, or a CompletionStage")
                .hasMessageContaining("on(EventMessage) returns Future; return void, or a CompletionStage");
    }

    @Test
    void rejectsStaticMethods() {
        assertRejected(new Static()).hasMessageContaining("Static.on(Created) is static; make it an instance method");
    }

    @Test
    void doesNotTreatMethodAsOverridingAStaticOne() {
        assertRejected(new BesideStatic()).hasMessageContaining("StaticOfInterface.on(Created) is static");
    }

    @Test
    void reportsAllMistakesAtOnce() {
        assertRejected(new Wrong())
                .hasMessage(
                        """
                        component orders cannot be created from %1$s:
                          %1$s.one(int) returns int; return void, or a CompletionStage for asynchronous work
                          %1$s.one(int) declares the payload as int; declare a dedicated class, such as a record
                          %1$s.two() has no event type; add a payload parameter or name the type with @EventHandler("…")"""
                                .formatted(Wrong.class.getName()));
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRejected(Object handlers) {
        return assertThatThrownBy(() -> Component.of("orders", handlers)).isInstanceOf(PermanentException.class);
    }

    record Created(String id) implements Happened {}

    interface Happened {}

    static class Empty {
        void on(Created event) {}
    }

    static class Static {
        @EventHandler
        static void on(Created event) {}
    }

    interface StaticOfInterface {
        @EventHandler
        static void on(Created event) {}
    }

    static class BesideStatic implements StaticOfInterface {
        void on(Created event) {}
    }

    static class Wrong {
        @EventHandler("Counted")
        int one(int count) {
            return count;
        }

        @EventHandler
        void two() {}
    }

    abstract static class Of<E> {
        @EventHandler
        abstract void on(E event);
    }

    static class OfCreated extends Of<Created> {
        @Override
        void on(Created event) {}
    }
}
