package io.holdfast.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a type belongs, and who may use it. A violated rule says where to put the type instead. */
class PackageRulesTests {

    /** The values that operators and adapters exchange are records of their own. */
    private static final double MAX_VISIBLE_SHARE = 0.52;

    private static final Path REPOSITORY = Path.of("..");
    private static final Path CORE_SOURCES = REPOSITORY.resolve("core/src/main/java");
    private static final int MAX_TYPES = 45;

    private static final Pattern AUDIENCE =
            Pattern.compile("<b>Audience:</b> (users|adapters|users and adapters|engine)\\.");

    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^public (?:abstract |final |sealed |non-sealed )*(?:class|interface|record|enum|@interface) ",
            Pattern.MULTILINE);

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.holdfast");

    private static final JavaClasses CORE = PRODUCTION.that(are(not(resideInAPackage("io.holdfast.tck.."))));

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.holdfast.(**)")
                .should()
                .beFreeOfCycles()
                .because("packages depend on each other in one direction, as docs/architecture.md shows; move the type"
                        + " that points back to the lower package, or pass it what it needs")
                .check(CORE);
    }

    @Test
    void packagesOfKitsHaveNoCycles() {
        slices().matching("io.holdfast.tck.(**)")
                .should()
                .beFreeOfCycles()
                .because("kits use the harness, not each other; what several kits share belongs into the harness")
                .check(PRODUCTION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"core", "spring-boot-autoconfigure", "admin"})
    void everyPackageNamesItsAudience(String module) {
        Path sources = REPOSITORY.resolve(module).resolve("src/main/java");

        assertThat(audiences(sources).keySet())
                .as("packages of %s whose package-info has a line '<b>Audience:</b> users | adapters | engine'", module)
                .containsExactlyInAnyOrderElementsOf(packages(sources));
    }

    @Test
    void noPackageOfCoreHasTooManyTypes() {
        Map<String, Long> sizes = sources(CORE_SOURCES)
                .filter(file -> !file.endsWith("package-info.java"))
                .collect(Collectors.groupingBy(PackageRulesTests::packageOf, TreeMap::new, Collectors.counting()));

        assertThat(sizes)
                .as("types by package; split a package by concept before it has more than %s", MAX_TYPES)
                .allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(MAX_TYPES));
    }

    /** Engine packages do not count: {@link #engineIsUsedOnlyByCoreTheContractKitsAndTheBenchmarks} fences them. */
    @Test
    void aboutHalfOfTheTypesOfCoreArePublicOutsideEnginePackages() {
        Set<String> engine = enginePackages();
        List<Path> types = sources(CORE_SOURCES)
                .filter(file -> !file.endsWith("package-info.java"))
                .toList();

        List<Path> visible = types.stream()
                .filter(file -> !engine.contains(packageOf(file)))
                .filter(file -> PUBLIC_TYPE.matcher(text(file)).find())
                .toList();

        assertThat(visible.size())
                .as(
                        "%s of %s types of core are public in packages for users or adapters. Make a type package-private,"
                                + " or move it to the engine package of its concept, unless users or adapters must name it",
                        visible.size(), types.size())
                .isLessThan((int) (types.size() * MAX_VISIBLE_SHARE));
    }

    /** The diagram leaves out the root package and {@code event}, and every dependency that follows from others. */
    @Test
    void architecturePageShowsTheDependenciesOfPackages() {
        Map<String, Set<String>> uses = new TreeMap<>();
        CORE.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(dependency -> List.of(
                        shortName(dependency.getOriginClass().getPackageName()),
                        shortName(dependency.getTargetClass().getPackageName())))
                .filter(pair ->
                        !pair.get(0).equals(pair.get(1)) && pair.stream().allMatch(PackageRulesTests::isShown))
                .forEach(pair -> uses.computeIfAbsent(pair.get(0), name -> new TreeSet<>())
                        .add(pair.get(1)));

        Map<String, Set<String>> reduced = new TreeMap<>();
        uses.forEach((name, targets) -> reduced.put(name, withoutImplied(targets, uses)));

        assertThat(shownDependencies()).isEqualTo(reduced);
    }

    private static Set<String> withoutImplied(Set<String> targets, Map<String, Set<String>> uses) {
        Set<String> reduced = new TreeSet<>(targets);
        targets.forEach(target -> reduced.removeAll(reachable(target, uses)));
        return reduced;
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
        Set<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(uses.getOrDefault(from, Set.of()));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (reached.add(next)) {
                open.addAll(uses.getOrDefault(next, Set.of()));
            }
        }
        return reached;
    }

    private static Map<String, Set<String>> shownDependencies() {
        String page = text(REPOSITORY.resolve("docs/architecture.md"));
        String diagram = page.substring(page.indexOf("## Packages of core"));
        Map<String, String> names = new HashMap<>();
        Pattern.compile("(\\w+)\\[([\\w.]+)]")
                .matcher(diagram)
                .results()
                .forEach(node -> names.put(node.group(1), node.group(2)));
        Map<String, Set<String>> shown = new TreeMap<>();
        Pattern.compile("(\\w+) --> ([\\w &]+)").matcher(diagram).results().forEach(edge -> Stream.of(
                        edge.group(2).split(" & "))
                .forEach(target -> shown.computeIfAbsent(
                                names.getOrDefault(edge.group(1), edge.group(1)), name -> new TreeSet<>())
                        .add(names.getOrDefault(target.strip(), target.strip()))));
        return shown;
    }

    private static boolean isShown(String name) {
        return !name.isEmpty() && !name.equals("event");
    }

    /** Empty for the root package and for packages of others. */
    private static String shortName(String name) {
        return name.startsWith("io.holdfast.") ? name.substring("io.holdfast.".length()) : "";
    }

    /** Contract kits drive the engine and benchmarks measure it, so they may use its types; all others may not. */
    @Test
    void engineIsUsedOnlyByCoreTheContractKitsAndTheBenchmarks() {
        Set<String> engine = enginePackages();
        assertThat(engine).hasSizeGreaterThan(4);

        Predicate<String> isEngine = type -> engine.contains(type.substring(0, type.lastIndexOf('.')));
        assertThat(sources(REPOSITORY)
                        .filter(file ->
                                Stream.of("core", "tck", "benchmarks").noneMatch(module -> isBelow(file, module)))
                        .flatMap(file -> imports(file).filter(isEngine).map(type -> file + " imports " + type)))
                .as("types of engine packages are not for other modules; add what they need to a package for users or"
                        + " adapters")
                .isEmpty();
    }

    private static Set<String> enginePackages() {
        return audiences(CORE_SOURCES).entrySet().stream()
                .filter(entry -> entry.getValue().equals("engine"))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** The audience of each package. */
    private static Map<String, String> audiences(Path root) {
        return sources(root)
                .filter(file -> file.endsWith("package-info.java"))
                .filter(file -> AUDIENCE.matcher(text(file)).find())
                .collect(Collectors.toMap(PackageRulesTests::packageOf, file -> {
                    Matcher audience = AUDIENCE.matcher(text(file));
                    assertThat(audience.find()).isTrue();
                    return audience.group(1);
                }));
    }

    private static Set<String> packages(Path root) {
        return sources(root).map(PackageRulesTests::packageOf).collect(Collectors.toSet());
    }

    private static boolean isBelow(Path file, String module) {
        return file.startsWith(REPOSITORY.resolve(module));
    }

    private static String packageOf(Path file) {
        return firstGroup(Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE), file);
    }

    private static String firstGroup(Pattern pattern, Path file) {
        Matcher found = pattern.matcher(text(file));
        assertThat(found.find()).as("%s in %s", pattern, file).isTrue();
        return found.group(1);
    }

    /** The imported types; a nested type or static member counts as its outermost type. */
    private static Stream<String> imports(Path file) {
        return Pattern.compile("^import (?:static )?([a-z][\\w.]*?\\.[A-Z]\\w*)", Pattern.MULTILINE)
                .matcher(text(file))
                .results()
                .map(found -> found.group(1));
    }

    private static Stream<Path> sources(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("target"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
