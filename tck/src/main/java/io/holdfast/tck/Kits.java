package io.holdfast.tck;

import java.util.List;

/** All contract kits. An adapter runs those of the ports that it implements, and {@link KitGuard} sees to it. */
public final class Kits {

    /** One per port. */
    public static final List<Class<?>> ALL = List.of(
            // One class per line, in the order of their names.
            EventLogKit.class,
            IdempotencyGuardKit.class,
            OutboxStoreKit.class,
            TokenStoreKit.class,
            ViewStoreKit.class,
            WireKit.class);

    private Kits() {}
}
