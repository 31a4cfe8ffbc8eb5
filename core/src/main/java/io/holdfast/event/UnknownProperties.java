package io.holdfast.event;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The properties of a stored JSON object that its class does not know, because another version of the service has
 * written them. They are added again when a changed value is written. Immutable.
 *
 * <ul>
 *   <li>In objects and maps, at any depth, they stay where they are, by the names of the properties or keys that lead to
 *       them.
 *   <li>They disappear together with the object, entry or element that contains them.
 *   <li>What the class knows is as the class has written it, also if that is null or nothing.
 *   <li>An element of an array has no name. It keeps its unknown properties if it is equal, in all that the class knows,
 *       to a stored one, wherever it is now. If an element with unknown properties has no equal and there is a new
 *       element, then it was either changed or replaced. Keeping its unknown properties could be as wrong as dropping
 *       them, so the write is refused with {@link UnsupportedHereException}.
 * </ul>
 *
 * <p>A property is unknown if Jackson reports it. A class with a deserializer of its own keeps nothing that this
 * deserializer ignores.
 */
final class UnknownProperties {

    /** No unknown properties. */
    static final UnknownProperties NONE = new UnknownProperties(
            "", Set.of(), JsonNodeFactory.instance.nullNode(), JsonNodeFactory.instance.nullNode());

    private final Object owner;
    private final Set<String> names;
    private final JsonNode stored;
    private final JsonNode known;

    /**
     * @param owner named in the message of a refused write
     * @param names the names of the unknown properties
     * @param stored the stored JSON
     * @param known the same value as its class writes it
     */
    UnknownProperties(Object owner, Set<String> names, JsonNode stored, JsonNode known) {
        this.owner = owner;
        this.names = names;
        this.stored = stored;
        this.known = known;
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    /** Returns the properties that are unknown after the value was changed and written. */
    UnknownProperties after(JsonNode merged, JsonNode written) {
        return new UnknownProperties(owner, names, merged, written);
    }

    /**
     * Returns a changed value, as its class has written it, together with these properties.
     *
     * @throws UnsupportedHereException if it is ambiguous which elements of an array they belong to
     */
    JsonNode mergeInto(JsonNode written) {
        return merge(stored, known, written, "");
    }

    private JsonNode merge(JsonNode before, JsonNode knownBefore, JsonNode written, String path) {
        if (written.equals(knownBefore)) {
            return before;
        }
        if (before instanceof ObjectNode object && knownBefore.isObject() && written.isObject()) {
            return mergeObjects(object, knownBefore, written, path);
        }
        if (before instanceof ArrayNode array && knownBefore.isArray() && written.isArray()) {
            return mergeArrays(array, knownBefore, written, path);
        }
        return written;
    }

    private JsonNode mergeObjects(ObjectNode before, JsonNode knownBefore, JsonNode written, String path) {
        ObjectNode merged = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> property : before.properties()) {
            String name = property.getKey();
            JsonNode now = written.get(name);
            JsonNode wasKnown = knownBefore.get(name);
            if (now != null) {
                merged.set(name, wasKnown == null ? now : merge(property.getValue(), wasKnown, now, path + "/" + name));
            } else if (isUnknown(name, knownBefore)) {
                merged.set(name, property.getValue());
            }
        }
        for (Map.Entry<String, JsonNode> property : written.properties()) {
            if (!merged.has(property.getKey())) {
                merged.set(property.getKey(), property.getValue());
            }
        }
        return merged;
    }

    private JsonNode mergeArrays(ArrayNode before, JsonNode knownBefore, JsonNode written, String path) {
        if (!hasUnknown(before, knownBefore)) {
            return written;
        }
        if (!isSameOrder(before, knownBefore)) {
            throw ambiguous(path); // for example a set, which its class writes in another order
        }
        Map<JsonNode, EqualElements> groups = new LinkedHashMap<>();
        for (int i = 0; i < before.size(); i++) {
            groups.computeIfAbsent(knownBefore.get(i), EqualElements::new).add(before.get(i));
        }
        ArrayNode merged = JsonNodeFactory.instance.arrayNode();
        boolean hasNew = false;
        for (JsonNode element : written) {
            EqualElements equal = groups.get(element);
            JsonNode match = equal == null ? null : equal.next();
            merged.add(match == null ? element : match);
            hasNew |= match == null && element.isContainer();
        }
        for (EqualElements group : groups.values()) {
            if (group.isAmbiguous() || (hasNew && group.leftOver().anyMatch(left -> hasUnknown(left, group.known)))) {
                throw ambiguous(path);
            }
        }
        return merged;
    }

    private UnsupportedHereException ambiguous(String path) {
        return new UnsupportedHereException(
                owner + " has elements at " + path + " with properties that this version does not know (" + names
                        + "), and the update changes or replaces some of them",
                "Start that version, or add the properties to the class");
    }

    private boolean isUnknown(String name, JsonNode knownObject) {
        return !knownObject.has(name) && names.contains(name);
    }

    private boolean hasUnknown(JsonNode before, @Nullable JsonNode knownBefore) {
        if (knownBefore == null) {
            return false;
        }
        if (before instanceof ObjectNode object && knownBefore.isObject()) {
            return object.properties().stream()
                    .anyMatch(property -> isUnknown(property.getKey(), knownBefore)
                            || hasUnknown(property.getValue(), knownBefore.get(property.getKey())));
        }
        if (before.isArray() && knownBefore.isArray()) {
            return isSameOrder(before, knownBefore)
                    ? IntStream.range(0, before.size()).anyMatch(i -> hasUnknown(before.get(i), knownBefore.get(i)))
                    : names.stream().anyMatch(name -> before.findValue(name) != null);
        }
        return false;
    }

    /** Returns whether two JSON values agree in what both contain, so that elements correspond by index. */
    private static boolean isSameOrder(JsonNode before, JsonNode knownBefore) {
        if (before instanceof ObjectNode object && knownBefore.isObject()) {
            return object.properties().stream()
                    .allMatch(property -> !knownBefore.has(property.getKey())
                            || isSameOrder(property.getValue(), knownBefore.get(property.getKey())));
        }
        if (before.isArray() && knownBefore.isArray()) {
            return before.size() == knownBefore.size()
                    && IntStream.range(0, before.size()).allMatch(i -> isSameOrder(before.get(i), knownBefore.get(i)));
        }
        boolean areNumbers = before.isNumber() && knownBefore.isNumber();
        return areNumbers
                ? before.decimalValue().compareTo(knownBefore.decimalValue()) == 0
                : before.equals(knownBefore);
    }
}
