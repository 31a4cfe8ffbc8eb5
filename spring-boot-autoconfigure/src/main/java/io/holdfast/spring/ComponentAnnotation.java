package io.holdfast.spring;

import io.holdfast.PermanentException;
import io.holdfast.handling.Component;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies the attributes of {@link EventComponent} to a component. */
final class ComponentAnnotation {

    private ComponentAnnotation() {}

    /**
     * @param rowsIn the database for application rows; null if the service has none
     * @throws PermanentException if the component has another name, or writes application rows without a database
     */
    static Component apply(EventComponent annotation, Component.Builder builder, @Nullable Object rowsIn) {
        if (!annotation.formerly().isEmpty()) {
            builder.formerly(annotation.formerly());
        }
        builder.retires(annotation.retires());
        builder.sagaTypes(annotation.sagaTypes());
        builder.retiresSagaTypes(annotation.retiresSagaTypes());
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
                throw new PermanentException(
                        "it writes application rows, but the service has no database; set framework.store=jdbc");
            }
            builder.rowsIn(rowsIn);
        }
        return requireSameName(annotation, builder.build());
    }

    /** @throws PermanentException if the annotation contradicts a component that is already built */
    static Component requireConsistent(EventComponent annotation, Component component) {
        boolean isConsistent = component.isResettable() == annotation.resettable()
                && component.callsOutside() == annotation.callsOutside()
                && component.rowsIn().isPresent() == annotation.writesApplicationRows()
                && component.retiredTypes().equals(new HashSet<>(List.of(annotation.retires())))
                && component.sagaTypes().equals(new HashSet<>(List.of(annotation.sagaTypes())))
                && component.retiredSagaTypes().equals(new HashSet<>(List.of(annotation.retiresSagaTypes())))
                && component.breaker().orElse("").equals(annotation.breaker())
                && (annotation.formerly().isEmpty() || component.stableName().equals(annotation.formerly()));
        if (!isConsistent) {
            throw new PermanentException(
                    "its @EventComponent and the component that it returns differ in breaker, resettable,"
                            + " callsOutside, writesApplicationRows, sagaTypes, retiresSagaTypes, retires or"
                            + " formerly; declare the same in both");
        }
        return requireSameName(annotation, component);
    }

    private static Component requireSameName(EventComponent annotation, Component component) {
        if (!component.name().equals(annotation.name())) {
            throw new PermanentException("its @EventComponent is named " + annotation.name()
                    + ", but the component that it returns is named " + component.name()
                    + "; give both the same name");
        }
        return component;
    }
}
