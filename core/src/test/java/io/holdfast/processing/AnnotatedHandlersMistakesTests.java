package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Payload;
import java.util.List;
import java.util.concurrent.Future;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What is wrong with an object is said when the component is made, not when an event comes. */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"})
class AnnotatedHandlersMistakesTests {

    @Test
    void namesComponentAndClass() {
        assertRejected(new Empty())
                .hasMessage("component orders cannot be made of " + Empty.class.getName()
                        + ":\n  no method is annotated; put @EventHandler on those that handle events");
    }

    @Test
    void rejectsAClassInPlaceOfItsInstance() {
        assertRejected(Empty.class).hasMessageContaining("it is a class; give an instance of " + Empty.class.getName());
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
    void rejectsWhatSaysNoEventType() {
        assertRejected(new Object() {
                    @EventHandler
                    void on(EventMessage message) {}
                })
                .hasMessageContaining("on(EventMessage) says no event type; give it a payload parameter or a name");
    }

    @Test
    void rejectsNamesThatNoEventCanHave() {
        assertRejected(new Object() {
                    @EventHandler(" ")
                    void on(Created event) {}
                })
                .hasMessageContaining("on(Created) is annotated with a wrong name: event type must not be blank");
    }

    @Test
    void rejectsTwoMethodsForOneEventType() {
        assertRejected(new Object() {
                    @EventHandler
                    void first(Created event) {}

                    @EventHandler("Created")
                    void second(EventMessage message) {}
                })
                .hasMessageContaining("second(EventMessage) handles event type Created as ")
                .hasMessageContaining("first(Created) does; keep one of them");
    }

    @Test
    void rejectsPrimitivesAndArrays() {
        assertRejected(new Object() {
                    @EventHandler("Counted")
                    void counted(int count) {}

                    @EventHandler("Listed")
                    void listed(Created... events) {}
                })
                .hasMessageContaining("counted(int) takes the payload as int; take it as a class of its own")
                .hasMessageContaining(
                        "listed(Created[]) takes the payload as Created[]; take it as a class of its own");
    }

    @Test
    void rejectsTypeArguments() {
        assertRejected(new Object() {
                    @EventHandler("Listed")
                    void on(List<Created> events) {}
                })
                .hasMessageContaining("on(List) takes the payload as java.util.List<" + Created.class.getName() + ">");
    }

    @Test
    void rejectsAnOverridingMethodThatIsNotAnnotatedWhereTheOverriddenOneDoesNotSayTheClass() {
        assertRejected(new OfCreated()).hasMessageContaining("on(Object) takes the payload as E");
    }

    @Test
    void rejectsClassesThatNameNoEvent() {
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
                .hasMessageContaining("inHoldfast(Payload) takes the payload as Payload, which is no event's class;")
                .hasMessageContaining("inJson(ObjectNode) takes the payload as ObjectNode, which is no event's class;")
                .hasMessageContaining("inJava(Object) takes the payload as Object, which is no event's class;")
                .hasMessageContaining(
                        "inSuperclass(Happened) takes the payload as Happened, which is no event's class;");
    }

    @Test
    void rejectsResultsThatNobodyWouldSee() {
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
                .hasMessageContaining("on(Created) returns boolean; return nothing, or a CompletionStage")
                .hasMessageContaining("on(EventMessage) returns Future; return nothing, or a CompletionStage");
    }

    @Test
    void rejectsStaticMethods() {
        assertRejected(new Static())
                .hasMessageContaining("Static.on(Created) is static; make it a method of the object");
    }

    @Test
    void doesNotTakeAMethodForOneThatOverridesAStaticOne() {
        assertRejected(new BesideStatic()).hasMessageContaining("StaticOfInterface.on(Created) is static");
    }

    @Test
    void saysAllMistakesAtOnce() {
        assertRejected(new Wrong())
                .hasMessage(
                        """
                        component orders cannot be made of %1$s:
                          %1$s.one(int) returns int; return nothing, or a CompletionStage for work that ends later
                          %1$s.one(int) takes the payload as int; take it as a class of its own, such as a record
                          %1$s.two() says no event type; give it a payload parameter or a name, @EventHandler("…")"""
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
