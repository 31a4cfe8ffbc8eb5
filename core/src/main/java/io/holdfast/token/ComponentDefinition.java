package io.holdfast.token;

import io.holdfast.event.Payload;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a component handles.
 *
 * @param types the handled event types, each with the version of the service that registered it first. A type whose
 *     events are handled only through an upcaster is listed with its revision: {@code OrderPlaced@1}
 * @param resettable whether the component may handle all events again
 * @param callsOutside whether the component calls external systems
 */
public record ComponentDefinition(Map<String, String> types, boolean resettable, boolean callsOutside) {

    /** Stands for every type, in the definition of a component whose types were never registered. */
    public static final String ALL = "*";

    public ComponentDefinition {
        types = Map.copyOf(types);
    }

    /** Creates the definition of a component that an earlier release stored without its types. */
    public static ComponentDefinition ofUnknownTypes() {
        return new ComponentDefinition(Map.of(ALL, ""), false, true);
    }

    /** Returns how a revision of a type is listed that is handled only through an upcaster. */
    public static String revisionOf(String type, int revision) {
        return type + "@" + revision;
    }

    /** Returns whether the component handles events with this payload. */
    public boolean covers(Payload payload) {
        return coversRevision(revisionOf(payload.type(), payload.revision()));
    }

    /** @param typeAndRevision as {@link #revisionOf} returns it */
    public boolean coversRevision(String typeAndRevision) {
        return types.containsKey(typeAndRevision.substring(0, typeAndRevision.lastIndexOf('@')))
                || types.containsKey(typeAndRevision)
                || types.containsKey(ALL);
    }

    /** Returns the version of the service that registered the type of this payload, or an empty text. */
    public String registeredBy(Payload payload) {
        String byRevision = types.getOrDefault(revisionOf(payload.type(), payload.revision()), "");
        return types.getOrDefault(payload.type(), byRevision);
    }

    /** Returns this definition with the types of a newer one, whose declarations replace those of this one. */
    ComponentDefinition merged(ComponentDefinition newer) {
        Map<String, String> all = new TreeMap<>(newer.types());
        all.putAll(types);
        if (!newer.types().containsKey(ALL)) {
            all.remove(ALL);
        }
        return new ComponentDefinition(all, newer.resettable(), newer.callsOutside());
    }

    /** Returns this definition without some types. */
    ComponentDefinition without(Iterable<String> retired) {
        Map<String, String> rest = new TreeMap<>(types);
        retired.forEach(type -> {
            rest.remove(type);
            rest.keySet().removeIf(listed -> listed.startsWith(type + "@"));
        });
        return new ComponentDefinition(rest, resettable, callsOutside);
    }
}
