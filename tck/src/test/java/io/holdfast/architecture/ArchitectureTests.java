package io.holdfast.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.holdfast.HoldfastException;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryTransactions;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.worker.Worker;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class ArchitectureTests {

    /** Classes that restore the interrupt flag of their own thread. They interrupt no other thread. */
    private static final List<String> RESTORE_INTERRUPTION = List.of(
            Worker.class.getName(),
            InMemoryTransactions.class.getName(),
            "io.holdfast.memory.InMemoryHead",
            "io.holdfast.service.ServiceShutdown",
            "io.holdfast.service.HandlerThreads");

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.holdfast");

    private static final JavaClasses CORE = PRODUCTION.that(are(not(resideInAPackage("io.holdfast.tck.."))));

    @Test
    void importsAllProductionClasses() {
        assertThat(CORE.contain(HoldfastException.class)).isTrue();
        assertThat(PRODUCTION.size()).isGreaterThan(100);
    }

    @Test
    void coreIsFreeOfSpringHazelcastAndSql() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework..",
                        "com.hazelcast..",
                        "java.sql..",
                        "javax.sql..",
                        "jakarta.persistence.."));
    }

    @Test
    void onlyResilienceDependsOnResilience4j() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.holdfast.resilience..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.github.resilience4j.."));
    }

    @Test
    void engineDoesNotDependOnInMemoryAdapters() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("io.holdfast.memory..", "io.holdfast.fixture..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.holdfast.memory.."));
    }

    @Test
    void adaptersAreHiddenBehindEntryPoints() {
        Set<String> visible = CORE.that(resideInAPackage("io.holdfast.memory")).stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());

        assertThat(visible)
                .containsExactlyInAnyOrder(
                        InMemoryStore.class.getName(),
                        InMemoryWire.class.getName(),
                        InMemoryTransactions.class.getName());
    }

    /** An interrupt during a database call can close the database. */
    @Test
    void noThreadIsInterrupted() {
        check(noClasses()
                .that(are(not(describe(
                        "classes that restore the interrupt flag",
                        type -> RESTORE_INTERRUPTION.contains(type.getName())))))
                .should()
                .callMethod(Thread.class, "interrupt"));
        check(noClasses().should().callMethodWhere(methodNamed(ExecutorService.class, "shutdownNow")));
        check(noClasses().should().callMethodWhere(methodNamed(Future.class, "cancel")));
    }

    @Test
    void exceptionsExtendHoldfastException() {
        check(classes().that().areAssignableTo(Throwable.class).should().beAssignableTo(HoldfastException.class));
    }

    @Test
    void namesStatePurpose() {
        check(noClasses().should().haveNameMatching(".*(Impl|Manager|Helper|Utils?)"));
        check(noClasses().should().haveNameMatching(".*\\.I[A-Z][a-z].*"));
    }

    @Test
    void everyPackageIsNullMarked() {
        classes().should(beInANullMarkedPackage()).check(PRODUCTION);
    }

    private static void check(ArchRule rule) {
        rule.check(CORE);
    }

    private static DescribedPredicate<JavaMethodCall> methodNamed(Class<?> owner, String name) {
        return DescribedPredicate.describe(
                owner.getSimpleName() + "." + name,
                call -> call.getTarget().getName().equals(name)
                        && call.getTargetOwner().isAssignableTo(owner));
    }

    private static ArchCondition<JavaClass> beInANullMarkedPackage() {
        return new ArchCondition<>("be in a package that is @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(SimpleConditionEvent.violated(
                            type, type.getName() + " is in " + type.getPackageName() + ", which is not @NullMarked"));
                }
            }
        };
    }
}
