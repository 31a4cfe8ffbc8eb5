package io.holdfast.event;

import io.holdfast.PermanentException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Encodes payloads as JSON and decodes them, older revisions through their upcasters. Immutable and thread-safe.
 *
 * <p>Rejects a payload that is too large or cannot be encoded before it is appended, so it cannot become a poison
 * message later.
 */
public final class PayloadCodec {

    public static final int DEFAULT_MAX_SIZE = 256 * 1024;

    private final JsonMapper mapper;
    private final int maxSize;
    private final Map<TypeRevision, Upcaster> upcasters;

    public PayloadCodec() {
        this(JsonMapper.builder().build(), DEFAULT_MAX_SIZE, List.of());
    }

    /**
     * @param maxSize the maximum size in bytes of UTF-8
     * @throws PermanentException if two upcasters start from the same revision of a type
     */
    public PayloadCodec(JsonMapper mapper, int maxSize, Collection<Upcaster> upcasters) {
        this.mapper = mapper;
        this.maxSize = maxSize;
        this.upcasters = upcasters.stream()
                .collect(Collectors.toUnmodifiableMap(
                        upcaster -> new TypeRevision(upcaster.type(), upcaster.fromRevision()),
                        Function.identity(),
                        (one, other) -> {
                            throw new PermanentException("two upcasters for revision " + one.fromRevision()
                                    + " of event type " + one.type() + "; remove one");
                        }));
    }

    /** @throws PermanentException if the value cannot be encoded or is too large */
    public Payload encode(Object value) {
        String type = EventType.Of.name(value.getClass());
        Payload payload = new Payload(type, EventType.Of.revision(value.getClass()), write(type, value));
        int size = payload.size();
        if (size > maxSize) {
            throw new PermanentException("payload of " + type + " has " + size + " bytes, more than the " + maxSize
                    + " allowed (framework.wire.max-event-size); store large content elsewhere and append a reference");
        }
        return payload;
    }

    /**
     * @throws PermanentException if the JSON does not match the class; the message names type and location, not the
     *     content
     */
    public <T> T decode(Payload payload, Class<T> target) {
        Payload current = upcast(payload);
        T value = read(current, target);
        if (value == null) {
            throw new PermanentException("payload of " + current.type() + " is JSON null");
        }
        return value;
    }

    /** Returns the payload in the newest revision that the upcasters lead to. */
    public Payload upcast(Payload payload) {
        Payload current = payload;
        for (Upcaster next = after(current); next != null; next = after(current)) {
            ObjectNode changed = next.change().apply(read(current, ObjectNode.class));
            current = new Payload(next.newType(), next.fromRevision() + 1, write(next.newType(), changed));
        }
        return current;
    }

    /** Returns the revisions that the upcasters turn into one of these types, directly or in several steps. */
    public Set<TypeRevision> revisionsUpcastTo(Set<String> types) {
        return upcasters.keySet().stream()
                .filter(source -> types.contains(newestType(source)))
                .collect(Collectors.toSet());
    }

    private String newestType(TypeRevision source) {
        TypeRevision current = source;
        for (Upcaster next = upcasters.get(current); next != null; next = upcasters.get(current)) {
            current = new TypeRevision(next.newType(), next.fromRevision() + 1);
        }
        return current.type();
    }

    private @Nullable Upcaster after(Payload payload) {
        return upcasters.get(new TypeRevision(payload.type(), payload.revision()));
    }

    private String write(String type, Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JacksonException | StackOverflowError e) {
            throw new PermanentException(
                    "payload of " + type + " cannot be written as JSON: " + reason(e) + "; check class "
                            + value.getClass().getName(),
                    e);
        }
    }

    private <T> T read(Payload payload, Class<T> target) {
        try {
            return mapper.readValue(payload.json(), target);
        } catch (JacksonException e) {
            throw new PermanentException(
                    "payload of " + payload.type() + " revision " + payload.revision() + " cannot be read as "
                            + target.getName() + ": " + reason(e)
                            + "; add an upcaster or fix the class",
                    e);
        }
    }

    /** Jackson's own message may quote the content, which must not be logged. */
    private static String reason(Throwable failure) {
        return failure instanceof JacksonException jackson && jackson.getLocation() != null
                ? failure.getClass().getSimpleName() + " at line "
                        + jackson.getLocation().getLineNr() + ", column "
                        + jackson.getLocation().getColumnNr()
                : failure.getClass().getSimpleName();
    }

    /** A revision of an event type. */
    public record TypeRevision(String type, int revision) {}
}
