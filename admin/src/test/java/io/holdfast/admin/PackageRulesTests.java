package io.holdfast.admin;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Where a type of this module belongs. A violated rule says where to put the type instead. */
class PackageRulesTests {

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.holdfast.admin");

    @Test
    void importsAllPackages() {
        assertThat(PRODUCTION.stream().map(JavaClass::getPackageName))
                .contains(
                        "io.holdfast.admin",
                        "io.holdfast.admin.breaker",
                        "io.holdfast.admin.component",
                        "io.holdfast.admin.deadletter",
                        "io.holdfast.admin.directory",
                        "io.holdfast.admin.fault",
                        "io.holdfast.admin.gateway",
                        "io.holdfast.admin.outbox",
                        "io.holdfast.admin.processor",
                        "io.holdfast.admin.saga",
                        "io.holdfast.admin.stream",
                        "io.holdfast.admin.web");
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.holdfast.(**)")
                .should()
                .beFreeOfCycles()
                .because("component finds what operators refer to; deadletter, fault and saga may use it, and not"
                        + " each other; io.holdfast.admin configures them, and web calls them. What deadletter, fault and saga"
                        + " share belongs into component")
                .check(PRODUCTION);
    }
}
