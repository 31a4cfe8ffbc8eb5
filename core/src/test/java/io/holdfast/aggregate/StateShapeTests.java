package io.holdfast.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.holdfast.event.EventType;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Two versions have the same shape only if both read the same state from a snapshot. */
class StateShapeTests {

    @Test
    void isTheSameForTheSameVersion() {
        assertThat(shape(Stock.class, Added.class, Removed.class))
                .isEqualTo(shape(Stock.class, Removed.class, Added.class))
                .matches("[0-9a-f]{16}");
    }

    /** Stored snapshots stay readable: a change of this value makes every snapshot of every service useless. */
    @Test
    void isTheSameInEveryRelease() {
        assertThat(StateShape.hash(Stock.class, Stream.of(Added.class), Set.of("B", "A")))
                .isEqualTo("4039a0e67e4cba03");
    }

    @Test
    void dependsOnFoldedAndIgnoredEventTypes() {
        assertThat(List.of(
                        shape(Stock.class),
                        shape(Stock.class, Added.class),
                        shape(Stock.class, Added.class, Removed.class),
                        StateShape.hash(Stock.class, Stream.of(Added.class), Set.of("Removed"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void dependsOnRevisionOfEvents() {
        assertThat(shape(Stock.class, Added.class)).isNotEqualTo(shape(Stock.class, Later.Added.class));
    }

    @Nested
    class Fields {

        @Test
        void countByNameTypeAndJsonName() {
            assertThat(Stream.of(
                                    OneInt.Version.class,
                                    OneLong.Version.class,
                                    OtherName.Version.class,
                                    OtherJsonName.Version.class,
                                    OtherJsonNameOfField.Version.class,
                                    OfStrings.Version.class,
                                    OfInts.Version.class)
                            .map(version -> shape(version)))
                    .doesNotHaveDuplicates();
        }

        @Test
        void ofOwnClassesCountAtAnyDepth() {
            assertThat(text(Deep.class))
                    .contains(
                            "Inner",
                            "inInner",
                            "InMap",
                            "inMap",
                            "InArray",
                            "inArray",
                            "Base",
                            "inBase",
                            "RED",
                            "InSealed");
            assertThat(text(Deep.class)).doesNotContain("ignoredStatic", "ignoredTransient");
        }

        @Test
        void ofClassesThatAreMissingHereDoNotCount() throws ReflectiveOperationException {
            Class<?> incomplete = new LoaderWithoutInner().loadClass(WithInner.class.getName());

            assertThat(text(incomplete)).isEqualTo("{\n" + WithInner.class.getName() + "\n}\nignored []");
        }

        private String text(Class<?> state) {
            return StateShape.describe(state, Stream.of(), Set.of());
        }
    }

    private static String shape(Class<?> state, Class<?>... events) {
        return StateShape.hash(state, Stream.of(events), Set.of());
    }

    record WithInner(Inner inner) {}

    /** Defines {@link WithInner} itself and does not find {@link Inner}. */
    private static final class LoaderWithoutInner extends ClassLoader {

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Inner.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            return name.equals(WithInner.class.getName()) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = Objects.requireNonNull(
                    StateShapeTests.class.getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class"))) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    record Stock(int quantity) {}

    record Added(int quantity) {}

    record Removed(int quantity) {}

    static class Later {
        @EventType(value = "Added", revision = 2)
        record Added(int quantity) {}
    }

    static class OneInt {
        record Version(int a) {}
    }

    static class OneLong {
        record Version(long a) {}
    }

    static class OtherName {
        record Version(int b) {}
    }

    static class OtherJsonName {
        record Version(@JsonProperty("b") int a) {}
    }

    static class OtherJsonNameOfField {
        static class Version {
            @JsonProperty("b")
            public int a;
        }
    }

    static class OfStrings {
        record Version(List<String> a) {}
    }

    static class OfInts {
        record Version(List<Integer> a) {}
    }

    static class Base {
        int inBase;
    }

    @SuppressWarnings("unused") // read by reflection
    static class Deep extends Base {
        static int ignoredStatic;
        transient int ignoredTransient;

        @Nullable
        Inner inner;

        @Nullable
        Map<String, ? extends List<InMap>> map;

        InArray[][] array = {};

        @Nullable
        Color color;

        @Nullable
        Sealed sealed;

        @Nullable
        Deep cycle;
    }

    record Inner(int inInner) {}

    record InMap(int inMap) {}

    record InArray(int inArray) {}

    enum Color {
        RED
    }

    sealed interface Sealed permits InSealed {}

    record InSealed(int x) implements Sealed {}
}
