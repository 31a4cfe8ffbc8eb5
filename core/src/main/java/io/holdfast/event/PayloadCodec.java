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
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Encodes payloads as JSON and decodes them, older revisions through their upcasters. Immutable and thread-safe.
 *
 * <p>Decoding ignores properties that the class does not know, whatever the mapper's setting, because a newer version
 * of the service may have added them. {@link #decodeForUpdate} keeps them for the value that is written next.
 *
 * <p>Rejects a payload before it is appended if it is too large, cannot be encoded, or contains text that a store would
 * change. So it cannot become a poison message later, and what a caller gets equals what is read after a restart.
 */
public final class PayloadCodec {

    public static final int DEFAULT_MAX_SIZE = 256 * 1024;

    private final JsonMapper mapper;
    private final ObjectReader reporting;
    private final ObjectReader trees;
    private final ObjectWriter treeWriter;
    private final WrittenProperties written;
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
        this.mapper = mapper.rebuild()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
        this.reporting = reportingUnknown(this.mapper);
        this.trees = this.mapper
                .readerFor(JsonNode.class)
                .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
        this.treeWriter = this.mapper.writer().with(JsonNodeFeature.WRITE_NULL_PROPERTIES);
        this.written = new WrittenProperties(this.mapper);
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

    /** @throws PermanentException if the value cannot be encoded, is too large or contains text that cannot be stored */
    public Payload encode(Object value) {
        if (value instanceof Payload encoded) {
            return requireStorable(encoded);
        }
        String type = EventType.Of.name(value.getClass());
        return requireStorable(new Payload(type, EventType.Of.revision(value.getClass()), write(type, value)));
    }

    /**
     * Encodes a changed value together with the properties that its class does not know.
     *
     * @param before the value before the change, or null if it is new
     * @throws PermanentException if the value cannot be encoded, is too large or contains text that cannot be stored
     * @throws UnsupportedHereException if it is ambiguous where the unknown properties belong, see
     *     {@link UnknownProperties}
     */
    public <T> Decoded<T> encode(T value, @Nullable Decoded<?> before) {
        UnknownProperties unknown = before == null ? UnknownProperties.NONE : before.unknown();
        Payload known = encode(value);
        if (unknown.isEmpty()) {
            return new Decoded<>(value, known, unknown);
        }
        JsonNode json = readTree(known);
        JsonNode merged = unknown.mergeInto(json);
        String text = treeWriter.writeValueAsString(merged);
        Payload payload = requireStorable(new Payload(known.type(), known.revision(), text));
        return new Decoded<>(value, payload, unknown.after(merged, json));
    }

    private Payload requireStorable(Payload payload) {
        long size = payload.requireStorable();
        if (size > maxSize) {
            throw new PermanentException("payload of " + payload.type() + " has " + size + " bytes, more than the "
                    + maxSize
                    + " allowed (framework.wire.max-event-size); store large content elsewhere and append a reference");
        }
        return payload;
    }

    /**
     * Decodes a stored value that is to be changed and written again, and keeps what its class does not know.
     *
     * @param owner where the value is stored, for messages
     * @throws PermanentException if the JSON does not match the class
     * @throws UnsupportedHereException if its revision is above that of the class
     */
    public <T> Decoded<T> decodeForUpdate(Payload stored, Class<T> target, Object owner) {
        requireKnownRevision(stored, target, owner);
        Payload current = upcast(stored);
        UnknownPropertyRecorder recorder = new UnknownPropertyRecorder(written);
        T value = requireNotNull(read(current, target, reporting.withHandler(recorder)), current);
        UnknownProperties unknown = recorder.names().isEmpty()
                ? UnknownProperties.NONE
                : new UnknownProperties(owner, recorder.names(), readTree(current), readTree(encode(value)));
        return new Decoded<>(value, stored, unknown);
    }

    /**
     * @param owner where the value is stored, for the message
     * @throws UnsupportedHereException if the stored revision is above that of the class. A newer version has written
     *     it, and this one could misread it.
     */
    public void requireKnownRevision(Payload stored, Class<?> target, Object owner) {
        if (isAbove(stored, target)) {
            throw new UnsupportedHereException(
                    owner + " has revision " + stored.revision() + " of " + stored.type() + ", but " + target.getName()
                            + " has revision " + EventType.Of.revision(target),
                    "Start that version, or add an upcaster and raise the revision of the class");
        }
    }

    /** Returns whether a stored revision is above that of the class, and no upcaster knows it. */
    public boolean isAbove(Payload stored, Class<?> target) {
        return stored.revision() > EventType.Of.revision(target) && after(stored) == null;
    }

    /**
     * @throws PermanentException if the JSON does not match the class; the message names type and location, not the
     *     content
     */
    public <T> T decode(Payload payload, Class<T> target) {
        Payload current = upcast(payload);
        return requireNotNull(read(current, target, mapper.readerFor(target)), current);
    }

    private static <T> T requireNotNull(@Nullable T value, Payload payload) {
        if (value == null) {
            throw new PermanentException("payload of " + payload.type() + " is JSON null");
        }
        return value;
    }

    /** Returns the payload in the newest revision that the upcasters lead to. */
    public Payload upcast(Payload payload) {
        Payload current = payload;
        for (Upcaster next = after(current); next != null; next = after(current)) {
            ObjectNode changed =
                    next.change().apply(read(current, ObjectNode.class, mapper.readerFor(ObjectNode.class)));
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

    private JsonNode readTree(Payload payload) {
        return read(payload, JsonNode.class, trees);
    }

    private static <T> T read(Payload payload, Class<T> target, ObjectReader reader) {
        try {
            return reader.forType(target).readValue(payload.json());
        } catch (JacksonException e) {
            throw new PermanentException(
                    "payload of " + payload.type() + " revision " + payload.revision() + " cannot be read as "
                            + target.getName() + ": " + reason(e)
                            + "; add an upcaster or fix the class",
                    e);
        }
    }

    private static ObjectReader reportingUnknown(JsonMapper mapper) {
        AnnotationIntrospector annotations = mapper.deserializationConfig().getAnnotationIntrospector();
        return mapper.rebuild()
                .annotationIntrospector(new UnknownPropertyIntrospector(annotations))
                .build()
                .reader();
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

    /** A value that is read to be changed and written again, with what its class does not know. Immutable. */
    public static final class Decoded<T> {

        private final T value;
        private final Payload payload;
        private final UnknownProperties unknown;

        private Decoded(T value, Payload payload, UnknownProperties unknown) {
            this.value = value;
            this.payload = payload;
            this.unknown = unknown;
        }

        public T value() {
            return value;
        }

        /** Returns the encoded value, including unknown properties. */
        public Payload payload() {
            return payload;
        }

        UnknownProperties unknown() {
            return unknown;
        }
    }
}
