package io.holdfast.jdbc;

import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Upcaster;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.jdbc.Entries.Added;
import io.holdfast.jdbc.Entries.Applied;
import io.holdfast.jdbc.Entries.Entered;
import io.holdfast.jdbc.Entries.Revised;
import io.holdfast.jdbc.Entries.RevisedTotals;
import io.holdfast.jdbc.Entries.Totals;
import java.util.List;
import java.util.function.IntFunction;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What differs between the old version of a service and the new one. */
enum VersionChange {

    /** The new version handles one more event type in the same component. */
    NEW_HANDLER {
        @Override
        List<Component> newComponents() {
            return List.of(
                    handling(FIRST).on(Revised.class, VersionChange::revised).build());
        }
    },

    /** The new version has one more component, for both types. */
    NEW_COMPONENT {
        @Override
        List<Component> newComponents() {
            return List.of(
                    handling(FIRST).build(),
                    handling(SECOND)
                            .on(Revised.class, (event, context) -> apply(SECOND, event.number(), context))
                            .build());
        }

        @Override
        List<String> components() {
            return List.of(FIRST, SECOND);
        }

        @Override
        boolean handles(String component, String type) {
            return component.equals(SECOND) || type.equals("Added");
        }
    },

    /** The new version has renamed the event type and its field, and upcasts events of the old type. */
    RENAMED_TYPE {
        @Override
        List<Component> newComponents() {
            return List.of(Component.named(FIRST)
                    .on(Entered.class, (event, context) -> apply(FIRST, event.entry(), context))
                    .build());
        }

        @Override
        PayloadCodec newCodec() {
            Upcaster upcaster = new Upcaster("Added", 1, "Entered", VersionChange::renameField);
            return new PayloadCodec(JsonMapper.builder().build(), PayloadCodec.DEFAULT_MAX_SIZE, List.of(upcaster));
        }

        @Override
        IntFunction<Object> newType() {
            return Entered::new;
        }
    },

    /** The new version handles one more event type, and counts it in a new field of the row. */
    NEW_FIELD {
        @Override
        List<Component> newComponents() {
            return List.of(Component.named(FIRST)
                    .on(Added.class, (event, context) -> applyRevised(event.number(), 0, context))
                    .on(Revised.class, (event, context) -> applyRevised(event.number(), 1, context))
                    .build());
        }
    };

    static final String FIRST = "first";
    static final String SECOND = "second";
    static final String OLD = "1.0";
    static final String NEW = "2.0";

    abstract List<Component> newComponents();

    /** Returns the components of a version. */
    List<Component> components(String version) {
        return version.equals(OLD) ? List.of(handling(FIRST).build()) : newComponents();
    }

    /** Returns the names of the new version's components. */
    List<String> components() {
        return List.of(FIRST);
    }

    /** Returns whether a component of the new version handles the type. */
    boolean handles(String component, String type) {
        return true;
    }

    PayloadCodec codec(String version) {
        return version.equals(OLD) ? new PayloadCodec() : newCodec();
    }

    PayloadCodec newCodec() {
        return new PayloadCodec();
    }

    /** Creates an event of the type that only the new version writes. */
    IntFunction<Object> newType() {
        return Revised::new;
    }

    /** Returns a component that handles the type which every version knows. */
    static Component.Builder handling(String component) {
        return Component.named(component)
                .on(Added.class, (event, context) -> apply(component, event.number(), context));
    }

    static void revised(Revised event, EventContext context) {
        apply(FIRST, event.number(), context);
    }

    private static void apply(String component, int number, EventContext context) {
        String key = context.event().key();
        context.update(
                Entries.totals(component), key, row -> row == null ? new Totals(1) : new Totals(row.handled() + 1));
        append(component, number, context);
    }

    private static void applyRevised(int number, int revised, EventContext context) {
        context.update(
                Entries.revisedTotals(FIRST),
                context.event().key(),
                row -> row == null
                        ? new RevisedTotals(1, revised)
                        : new RevisedTotals(row.handled() + 1, row.revisedOrZero() + revised));
        append(FIRST, number, context);
    }

    private static void append(String component, int number, EventContext context) {
        context.decide(Entries.effects(component), context.event().key(), newest -> List.of(new Applied(number)));
    }

    private static ObjectNode renameField(ObjectNode json) {
        json.set("entry", json.remove("number"));
        return json;
    }
}
