package io.holdfast.token;

import io.holdfast.event.EventMessage;
import io.holdfast.event.Names;
import io.holdfast.event.Payload;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a component handles: events whose type and whose saga type are both listed.
 *
 * @param types the handled event types, each with the version of the service that registered it first. A type whose
 *     events are handled only through an upcaster is listed with its revision: {@code OrderPlaced@1}
 * @param sagaTypes the saga types that the component is limited to, each with the version that registered it first;
 *     {@link #ALL} if it handles the events of all sagas and of none
 * @param resettable whether the component may handle all events again
 * @param callsOutside whether the component calls external systems
 */
public record ComponentDefinition(
        Map<String, String> types, Map<String, String> sagaTypes, boolean resettable, boolean callsOutside) {

    /**
     * As an event type, stands for every type, in the definition of a component whose types were never registered. As a
     * saga type, stands for every event, whether it belongs to a saga or not.
     */
    public static final String ALL = "*";

    private static final Pattern IN_SAGA = Pattern.compile("(.+?@\\d+)#(.*)", Pattern.DOTALL);

    public ComponentDefinition {
        types = Map.copyOf(types);
        sagaTypes = Map.copyOf(sagaTypes);
    }

    /** Creates the definition of a component that is not limited to saga types. */
    public ComponentDefinition(Map<String, String> types, boolean resettable, boolean callsOutside) {
        this(types, Map.of(ALL, ""), resettable, callsOutside);
    }

    /** Creates the definition of a component that an earlier release stored without its types. */
    public static ComponentDefinition ofUnknownTypes() {
        return new ComponentDefinition(Map.of(ALL, ""), false, true);
    }

    /** Returns how a revision of a type is listed that is handled only through an upcaster. */
    public static String revisionOf(String type, int revision) {
        return type + "@" + revision;
    }

    /**
     * Returns what needs a version that is not limited to other saga types: {@code OrderPlaced@1#OrderFulfillment}, or
     * {@code OrderPlaced@1#} if the event belongs to no saga, or to one that no component can be limited to.
     */
    public static String inSaga(String typeAndRevision, EventMessage event) {
        return typeAndRevision + "#" + sagaType(event);
    }

    private static String sagaType(EventMessage event) {
        return event.metadata()
                .sagaType()
                .filter(type -> type.length() <= Names.MAX_LENGTH)
                .orElse("");
    }

    /** Returns whether the component handles this event. */
    public boolean covers(EventMessage event) {
        Payload payload = event.payload();
        return coversRevision(revisionOf(payload.type(), payload.revision())) && coversSaga(sagaType(event));
    }

    /**
     * @param awaited as {@link #revisionOf} or {@link #inSaga} returns it; without a saga, the component covers it if it
     *     covers the event type
     */
    public boolean coversAwaited(String awaited) {
        Matcher inSaga = IN_SAGA.matcher(awaited);
        return inSaga.matches()
                ? coversRevision(inSaga.group(1)) && coversSaga(inSaga.group(2))
                : coversRevision(awaited);
    }

    private boolean coversSaga(String sagaType) {
        return !isLimited() || sagaTypes.containsKey(sagaType);
    }

    /** Returns whether the component handles only the events of the listed saga types. */
    public boolean isLimited() {
        return !sagaTypes.containsKey(ALL);
    }

    private boolean coversRevision(String typeAndRevision) {
        return types.containsKey(typeAndRevision.substring(0, typeAndRevision.lastIndexOf('@')))
                || types.containsKey(typeAndRevision)
                || types.containsKey(ALL);
    }

    /** Returns the version of the service that registered the type of this payload, or an empty text. */
    public String registeredBy(Payload payload) {
        String byRevision = types.getOrDefault(revisionOf(payload.type(), payload.revision()), "");
        return types.getOrDefault(payload.type(), byRevision);
    }

    /** Returns the version of the service that registered the saga type of this event, or an empty text. */
    public String sagaRegisteredBy(EventMessage event) {
        return sagaTypes.getOrDefault(sagaType(event), sagaTypes.getOrDefault(ALL, ""));
    }

    /** Returns whether this definition lists everything that another one lists. */
    boolean includes(ComponentDefinition other) {
        return types.keySet().containsAll(other.types.keySet())
                && sagaTypes.keySet().containsAll(other.sagaTypes.keySet());
    }

    /** Returns this definition with the types of a newer one, whose declarations replace those of this one. */
    ComponentDefinition merged(ComponentDefinition newer) {
        Map<String, String> all = new TreeMap<>(newer.types());
        all.putAll(types);
        if (!newer.types().containsKey(ALL)) {
            all.remove(ALL);
        }
        Map<String, String> sagas = new TreeMap<>(newer.sagaTypes());
        sagas.putAll(sagaTypes);
        return new ComponentDefinition(all, sagas, newer.resettable(), newer.callsOutside());
    }

    /** Returns this definition without some types. */
    ComponentDefinition without(Iterable<String> retired) {
        Map<String, String> rest = new TreeMap<>(types);
        retired.forEach(type -> {
            rest.remove(type);
            rest.keySet().removeIf(listed -> listed.startsWith(type + "@"));
        });
        return new ComponentDefinition(rest, sagaTypes, resettable, callsOutside);
    }

    /** Returns this definition without some saga types. */
    ComponentDefinition withoutSagaTypes(Set<String> retired) {
        Map<String, String> rest = new TreeMap<>(sagaTypes);
        rest.keySet().removeAll(retired);
        return new ComponentDefinition(types, rest, resettable, callsOutside);
    }
}
