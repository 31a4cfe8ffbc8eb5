package io.holdfast.spring;

import io.holdfast.PermanentException;
import io.holdfast.processing.Component;
import org.jspecify.annotations.Nullable;

/** What {@link EventComponent} says, said to a component. */
final class ComponentAnnotation {

    private ComponentAnnotation() {}

    /** @throws PermanentException if the component has another name, or keeps rows and there is no database */
    static Component apply(EventComponent annotation, Component.Builder builder, @Nullable Object rowsIn) {
        if (!annotation.formerly().isEmpty()) {
            builder.formerly(annotation.formerly());
        }
        if (!annotation.breaker().isEmpty()) {
            builder.guardedBy(annotation.breaker());
        }
        if (annotation.resettable()) {
            builder.resettable();
        }
        if (annotation.callsOutside()) {
            builder.callsOutside();
        }
        if (annotation.writesApplicationRows()) {
            if (rowsIn == null) {
                throw new PermanentException("it keeps rows, but the service has no database that they could be in;"
                        + " choose framework.store=jdbc");
            }
            builder.rowsIn(rowsIn);
        }
        return requireSameName(annotation, builder.build());
    }

    /** @throws PermanentException if the annotation says something that a component which is built already does not */
    static Component requireConsistent(EventComponent annotation, Component component) {
        boolean fits = component.isResettable() == annotation.resettable()
                && component.callsOutside() == annotation.callsOutside()
                && component.rowsIn().isPresent() == annotation.writesApplicationRows()
                && component.breaker().orElse("").equals(annotation.breaker())
                && (annotation.formerly().isEmpty() || component.stableName().equals(annotation.formerly()));
        if (!fits) {
            throw new PermanentException("its @EventComponent says something else of breaker, replayable, callsOutside,"
                    + " writesApplicationRows or formerly than the component that it gives; say the same in both");
        }
        return requireSameName(annotation, component);
    }

    private static Component requireSameName(EventComponent annotation, Component component) {
        if (!component.name().equals(annotation.name())) {
            throw new PermanentException("its @EventComponent is named " + annotation.name()
                    + ", but the component that it gives is named " + component.name() + "; name both the same");
        }
        return component;
    }
}
