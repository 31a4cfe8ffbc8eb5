package io.holdfast.hazelcast;

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
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of this module; those of the core do not see it. */
class HazelcastArchitectureTests {

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.holdfast.hazelcast");

    @Test
    void rulesCoverProductionClassesOnly() {
        assertThat(PRODUCTION.contain(HazelcastWire.class)).isTrue();
        assertThat(PRODUCTION.contain(RingReader.class)).isTrue();
        assertThat(PRODUCTION.contain(TestMember.class)).isFalse();
    }

    @Test
    void adaptersArePackagePrivateBehindTheirEntryPoints() {
        Set<String> visible = PRODUCTION.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());

        assertThat(visible)
                .containsExactlyInAnyOrder(HazelcastWire.class.getName(), HazelcastWireBuilder.class.getName());
    }

    @Test
    void wireDependsOnNoStoreAndNoFramework() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.holdfast.jdbc..",
                        "io.holdfast.memory..",
                        "io.holdfast.service..",
                        "java.sql..",
                        "javax.sql..",
                        "org.springframework..")
                .check(PRODUCTION);
    }

    /** An interrupt during a database call can close the database, and a stream server reads one. */
    @Test
    void wireInterruptsNoThread() {
        noClasses()
                .that()
                .areNotAssignableTo(Link.class) // restores the caller's interrupt status
                .should()
                .callMethod(Thread.class, "interrupt")
                .check(PRODUCTION);
        noClasses()
                .should()
                .callMethodWhere(methodNamed(ExecutorService.class, "shutdownNow"))
                .check(PRODUCTION);
        noClasses()
                .should()
                .callMethodWhere(methodNamed(Future.class, "cancel"))
                .check(PRODUCTION);
    }

    @Test
    void classNamesHaveNoMeaninglessSuffixes() {
        noClasses().should().haveNameMatching(".*(Impl|Manager|Helper|Utils?)").check(PRODUCTION);
        noClasses().should().haveNameMatching(".*\\.I[A-Z][a-z].*").check(PRODUCTION);
    }

    @Test
    void everyPackageIsNullMarked() {
        classes().should(beInANullMarkedPackage()).check(PRODUCTION);
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
