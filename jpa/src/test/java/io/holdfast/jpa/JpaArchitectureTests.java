package io.holdfast.jpa;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The architecture rules of this module, which the rules of the core do not cover. */
class JpaArchitectureTests {

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.holdfast.jpa");

    @Test
    void adaptersAreHiddenBehindTheirEntryPoints() {
        Set<String> visible = PRODUCTION.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());

        assertThat(visible)
                .containsExactlyInAnyOrder(
                        JpaStore.class.getName(), JpaStore.Builder.class.getName(), JpaTransactions.class.getName());
    }

    @Test
    void moduleIsFreeOfSpring() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework..")
                .check(PRODUCTION);
    }
}
