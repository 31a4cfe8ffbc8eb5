package io.holdfast.examples.shop;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Services communicate through events only. Of their domains, they share only the declaration of the saga. */
class ArchitectureTests {

    private static final String SHOP = "io.holdfast.examples.shop";
    private static final Set<String> SERVICES = Set.of("account", "inventory", "order", "payment");
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(SHOP);

    @ParameterizedTest
    @ValueSource(strings = {"account", "inventory", "order", "payment", "web", "fulfillment"})
    void doesNotDependOnOtherServices(String name) {
        String[] others = SERVICES.stream()
                .filter(service -> !service.equals(name))
                .map(service -> SHOP + "." + service + "..")
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(SHOP + "." + name + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .check(CLASSES);
    }

    @Test
    void importsAllServices() {
        assertThat(CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet()))
                .contains(SHOP + ".web")
                .containsAll(
                        SERVICES.stream().map(service -> SHOP + "." + service).toList());
    }
}
