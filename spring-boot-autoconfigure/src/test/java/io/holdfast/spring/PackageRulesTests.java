package io.holdfast.spring;

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
            .importPackages("io.holdfast.spring");

    @Test
    void importsAllPackages() {
        assertThat(PRODUCTION.stream().map(JavaClass::getPackageName))
                .contains(
                        "io.holdfast.spring",
                        "io.holdfast.spring.health",
                        "io.holdfast.spring.properties",
                        "io.holdfast.spring.store",
                        "io.holdfast.spring.transaction");
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.holdfast.(**)")
                .should()
                .beFreeOfCycles()
                .because(
                        "properties use no other package; store uses properties; the service in io.holdfast.spring uses both;"
                                + " transaction and health extend the service, which does not know them. Move the type that points"
                                + " back to the lower package, or pass it what it needs")
                .check(PRODUCTION);
    }
}
