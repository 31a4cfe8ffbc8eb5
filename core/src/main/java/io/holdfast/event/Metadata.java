package io.holdfast.event;

import io.holdfast.PermanentException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Travels with an event's payload: its cause, its saga and custom strings. Immutable; every {@code with} returns a
 * new value.
 */
public final class Metadata {

    /** Limits all names and values of one event together, so that metadata cannot bypass the size limit of events. */
    public static final int MAX_CHARACTERS = 8 * 1024;

    private static final String CORRELATION_ID = "correlationId";
    private static final String CAUSATION_ID = "causationId";
    private static final String SAGA_ID = "sagaId";
    private static final String SAGA_TYPE = "sagaType";
    private static final String STEP_NUMBER = "stepNumber";
    private static final String COMPENSATING = "compensating";
    private static final String TRACEPARENT = "traceparent";

    private static final Metadata NONE = new Metadata(new TreeMap<>());

    private final SortedMap<String, String> values;

    private Metadata(SortedMap<String, String> values) {
        this.values = Collections.unmodifiableSortedMap(values);
    }

    public static Metadata none() {
        return NONE;
    }

    /**
     * @throws PermanentException if a name is blank, a text contains NUL or an unpaired surrogate, or the total is
     *     too long
     */
    public static Metadata of(Map<String, String> values) {
        values.forEach(Metadata::requireValid);
        return bounded(new TreeMap<>(values));
    }

    private static void requireValid(String name, String value) {
        Names.require("name of metadata", name);
        if (!Names.isStorable(value)) {
            throw new PermanentException("metadata " + name + " must not contain NUL or an unpaired surrogate");
        }
    }

    private static Metadata bounded(SortedMap<String, String> valid) {
        long characters = 0;
        for (Map.Entry<String, String> entry : valid.entrySet()) {
            characters += entry.getKey().length() + entry.getValue().length();
        }
        if (characters > MAX_CHARACTERS) {
            throw new PermanentException("metadata must have at most " + MAX_CHARACTERS + " characters, but has "
                    + characters + "; move large content to the payload");
        }
        return new Metadata(valid);
    }

    /** Returns the id that all events of one conversation share. */
    public Optional<String> correlationId() {
        return find(CORRELATION_ID);
    }

    /** Returns the id of the event or command that caused this event. */
    public Optional<String> causationId() {
        return find(CAUSATION_ID);
    }

    public Optional<String> sagaId() {
        return find(SAGA_ID);
    }

    public Optional<String> sagaType() {
        return find(SAGA_TYPE);
    }

    public OptionalInt stepNumber() {
        String step = values.get(STEP_NUMBER);
        return step == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(step));
    }

    public boolean compensating() {
        return Boolean.parseBoolean(values.get(COMPENSATING));
    }

    /** Returns the W3C trace context. */
    public Optional<String> traceparent() {
        return find(TRACEPARENT);
    }

    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    public Metadata withCorrelationId(String id) {
        return with(CORRELATION_ID, id);
    }

    public Metadata withCausationId(String id) {
        return with(CAUSATION_ID, id);
    }

    public Metadata withSaga(String type, String id) {
        return with(SAGA_TYPE, type).with(SAGA_ID, id);
    }

    public Metadata withStepNumber(int step) {
        return with(STEP_NUMBER, Integer.toString(step));
    }

    public Metadata withCompensating(boolean compensating) {
        return with(COMPENSATING, Boolean.toString(compensating));
    }

    /** Returns these values with the step of a saga that the event belongs to. */
    public Metadata withStep(int step, boolean compensating) {
        SortedMap<String, String> changed = new TreeMap<>(values);
        changed.put(STEP_NUMBER, Integer.toString(step));
        changed.put(COMPENSATING, Boolean.toString(compensating));
        return bounded(changed);
    }

    public Metadata withTraceparent(String traceparent) {
        return with(TRACEPARENT, traceparent);
    }

    public Metadata with(String name, String value) {
        requireValid(name, value);
        SortedMap<String, String> changed = new TreeMap<>(values);
        changed.put(name, value);
        return bounded(changed);
    }

    /**
     * Returns the values that events caused by this event inherit: all except the step and whether it compensates,
     * which describe this event alone.
     */
    public Metadata inheritable() {
        SortedMap<String, String> inherited = new TreeMap<>(values);
        inherited.remove(STEP_NUMBER);
        inherited.remove(COMPENSATING);
        return new Metadata(inherited);
    }

    /** Returns these values, plus those of the other that are not set here. */
    public Metadata withDefaults(Metadata other) {
        SortedMap<String, String> joined = new TreeMap<>(other.values);
        joined.putAll(values);
        return bounded(joined);
    }

    /** Returns the values ordered by name; unmodifiable. */
    public SortedMap<String, String> asMap() {
        return values;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Metadata that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
