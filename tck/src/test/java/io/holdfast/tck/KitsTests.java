package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.holdfast.tck.deadletter.DeadLetterEngineKit;
import io.holdfast.tck.deadletter.DeadLetterKit;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.saga.OrchestrationKit;
import io.holdfast.tck.saga.SagaKit;
import io.holdfast.tck.store.EventLogKit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KitsTests {

    /** Base classes of kits. */
    private static final List<Class<?>> SHARED = List.of(
            StoreKit.class,
            EngineKit.class,
            DeadLetterKit.class,
            DeadLetterEngineKit.class,
            SagaKit.class,
            OrchestrationKit.class);

    @Test
    void allListsEveryKitOnce() {
        List<String> kits = kitsOfThisModule().toList();

        assertThat(kits).contains(EventLogKit.class.getName());
        assertThat(Kits.ALL).extracting(Class::getName).containsExactlyInAnyOrderElementsOf(kits);
    }

    private static Stream<String> kitsOfThisModule() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackagesOf(Kits.class).stream()
                        .filter(type -> type.getModifiers().contains(JavaModifier.ABSTRACT))
                        .filter(type -> type.getSimpleName().endsWith("Kit"))
                        .filter(type -> SHARED.stream().noneMatch(type::isEquivalentTo))
                        .map(JavaClass::getName);
    }

    @Test
    void guardFindsRun() {
        assertThatCode(() -> guard("Good")).doesNotThrowAnyException();
    }

    @Test
    void guardReportsMissingRun() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> guard("Forgotten"))
                .withMessageContaining("io.holdfast.tck.ForgottenSampleTests");
    }

    @Test
    void guardReportsAbstractRun() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> guard("Abstract"))
                .withMessageContaining("io.holdfast.tck.AbstractSampleTests is abstract");
    }

    @Test
    void guardReportsRunOfAnotherKit() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> guard("Stray"))
                .withMessageContaining("io.holdfast.tck.StraySampleTests does not extend");
    }

    @Test
    void guardReportsAllMissingRuns() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> KitGuard.assertEveryKitRuns(KitsTests.class, "Nowhere"))
                .withMessageContaining("NowhereEventLogTests")
                .withMessageContaining("NowhereWireTests");
    }

    private static void guard(String prefix) {
        KitGuard.assertEveryKitRuns(KitsTests.class, prefix, List.of(SampleKit.class));
    }
}

abstract class SampleKit {}

class GoodSampleTests extends SampleKit {}

abstract class AbstractSampleTests extends SampleKit {}

class StraySampleTests {}
