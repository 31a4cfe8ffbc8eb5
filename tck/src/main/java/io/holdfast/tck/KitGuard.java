package io.holdfast.tck;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;

/**
 * Proves that an adapter runs its kits. Test runners pass over abstract and nested classes in silence, so a kit that
 * nobody runs looks like one that passes.
 */
public final class KitGuard {

    private KitGuard() {}

    /** As {@link #assertEveryKitRuns(Class, String, List)}, for {@link Kits#ALL}. */
    public static void assertEveryKitRuns(Class<?> anchorInTestPackage, String adapterPrefix) {
        assertEveryKitRuns(anchorInTestPackage, adapterPrefix, Kits.ALL);
    }

    /**
     * Looks for the run of each kit: a concrete top-level class beside the anchor, named after the adapter and the port
     * ({@code InMemoryTokenStoreTests} for {@code TokenStoreKit}), that extends the kit.
     *
     * @throws AssertionError if any is missing, naming all of them
     */
    public static void assertEveryKitRuns(
            Class<?> anchorInTestPackage, String adapterPrefix, List<? extends Class<?>> kits) {
        List<String> problems = kits.stream()
                .map(kit -> problem(anchorInTestPackage, adapterPrefix, kit))
                .flatMap(Optional::stream)
                .toList();
        if (!problems.isEmpty()) {
            throw new AssertionError("kits are not run: " + String.join("; ", problems));
        }
    }

    private static Optional<String> problem(Class<?> anchor, String prefix, Class<?> kit) {
        String port = kit.getSimpleName().replaceFirst("Kit$", "");
        String name = anchor.getPackageName() + "." + prefix + port + "Tests";
        try {
            Class<?> run = Class.forName(name, false, anchor.getClassLoader());
            if (!kit.isAssignableFrom(run)) {
                return Optional.of(name + " does not extend " + kit.getName());
            }
            return Modifier.isAbstract(run.getModifiers())
                    ? Optional.of(name + " is abstract, so that nothing of " + kit.getName() + " runs")
                    : Optional.empty();
        } catch (ClassNotFoundException e) {
            return Optional.of("there is no " + name + " that extends " + kit.getName());
        }
    }
}
