package io.holdfast.tck;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;

/**
 * Proves that an adapter runs its kits. Test runners silently skip abstract and nested classes, so a kit without a run
 * would look like a kit that passes.
 */
public final class KitGuard {

    private KitGuard() {}

    /** Same as {@link #assertEveryKitRuns(Class, String, List)}, for {@link Kits#ALL}. */
    public static void assertEveryKitRuns(Class<?> anchorInTestPackage, String adapterPrefix) {
        assertEveryKitRuns(anchorInTestPackage, adapterPrefix, Kits.ALL);
    }

    /**
     * Checks that each kit has a run: a concrete top-level class in the package of the anchor, named after the adapter
     * and the port ({@code InMemoryTokenStoreTests} for {@code TokenStoreKit}), that extends the kit.
     *
     * @throws AssertionError if a run is missing; the message lists all of them
     */
    public static void assertEveryKitRuns(
            Class<?> anchorInTestPackage, String adapterPrefix, List<? extends Class<?>> kits) {
        List<String> problems = kits.stream()
                .map(kit -> problem(anchorInTestPackage, adapterPrefix, kit))
                .flatMap(Optional::stream)
                .toList();
        if (!problems.isEmpty()) {
            throw new AssertionError("Contract kits without a run: " + String.join("; ", problems));
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
                    ? Optional.of(name + " is abstract, so no test of " + kit.getName() + " runs")
                    : Optional.empty();
        } catch (ClassNotFoundException e) {
            return Optional.of(name + " is missing; add it, extending " + kit.getName());
        }
    }
}
