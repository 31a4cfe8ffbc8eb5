package io.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordSigningTests {

    private static final UUID ONE = new UUID(1, 1);
    private static final UUID TWO = new UUID(2, 2);
    private static final UUID THREE = new UUID(3, 3);
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00.123456Z");
    private static final Metadata METADATA = Metadata.of(Map.of("a", "bc", "d", "e"));
    private static final Payload PAYLOAD = new Payload("Noted", 1, "{}");
    private static final LogPosition LOG_POSITION = new LogPosition(new LogIdentity(TWO, 1), 8, 7, THREE);
    private static final EventMessage EVENT =
            new EventMessage(ONE, "shop", "orders", "o-1", 3, TIME, METADATA, PAYLOAD, LOG_POSITION);

    private static final RecordSigning.Key OLD = key("old", 1);
    private static final RecordSigning.Key NEW = key("new", 2);

    private static RecordSigning.Key key(String id, int seed) {
        return new RecordSigning.Key(id, Integer.toString(seed).repeat(32).getBytes(StandardCharsets.UTF_8));
    }

    private static EventMessage with(Metadata metadata, Payload payload, LogPosition position) {
        return new EventMessage(ONE, "shop", "orders", "o-1", 3, TIME, metadata, payload, position);
    }

    private static EventMessage with(UUID id, String source, String stream, String key, long version, Instant time) {
        return new EventMessage(id, source, stream, key, version, time, METADATA, PAYLOAD, LOG_POSITION);
    }

    static Map<String, EventMessage> altered() {
        LogIdentity log = LOG_POSITION.log();
        return Map.ofEntries(
                Map.entry("id", with(TWO, "shop", "orders", "o-1", 3, TIME)),
                Map.entry("source", with(ONE, "shap", "orders", "o-1", 3, TIME)),
                Map.entry("stream", with(ONE, "shop", "orderz", "o-1", 3, TIME)),
                Map.entry("key", with(ONE, "shop", "orders", "o-2", 3, TIME)),
                Map.entry("text moved to the next field", with(ONE, "shopo", "rders", "o-1", 3, TIME)),
                Map.entry("version", with(ONE, "shop", "orders", "o-1", 4, TIME)),
                Map.entry("second", with(ONE, "shop", "orders", "o-1", 3, TIME.plusSeconds(1))),
                Map.entry("microsecond", with(ONE, "shop", "orders", "o-1", 3, TIME.plusNanos(1000))),
                Map.entry("metadata removed", with(Metadata.of(Map.of("a", "bc")), PAYLOAD, LOG_POSITION)),
                Map.entry("metadata added", with(METADATA.with("f", ""), PAYLOAD, LOG_POSITION)),
                Map.entry("metadata value", with(METADATA.with("d", "f"), PAYLOAD, LOG_POSITION)),
                Map.entry("metadata moved", with(Metadata.of(Map.of("ab", "c", "d", "e")), PAYLOAD, LOG_POSITION)),
                Map.entry("type", with(METADATA, new Payload("Nated", 1, "{}"), LOG_POSITION)),
                Map.entry("revision", with(METADATA, new Payload("Noted", 2, "{}"), LOG_POSITION)),
                Map.entry("payload", with(METADATA, new Payload("Noted", 1, "{ }"), LOG_POSITION)),
                Map.entry("log", with(METADATA, PAYLOAD, new LogPosition(new LogIdentity(THREE, 1), 8, 7, THREE))),
                Map.entry("epoch", with(METADATA, PAYLOAD, new LogPosition(new LogIdentity(TWO, 2), 8, 7, THREE))),
                Map.entry("position", with(METADATA, PAYLOAD, new LogPosition(log, 9, 7, THREE))),
                Map.entry("previous position", with(METADATA, PAYLOAD, new LogPosition(log, 8, 6, THREE))),
                Map.entry("previous id", with(METADATA, PAYLOAD, new LogPosition(log, 8, 7, ONE))),
                Map.entry("no previous", with(METADATA, PAYLOAD, new LogPosition(log, 8, 0, null))));
    }

    static Set<String> fields() {
        return altered().keySet();
    }

    @ParameterizedTest
    @MethodSource("fields")
    void rejectsAlteredRecord(String field) {
        RecordSigning signing = RecordSigning.required(NEW);
        RecordSigning.Signature signature = signing.sign(EVENT).orElseThrow();
        EventMessage altered = Objects.requireNonNull(altered().get(field));

        assertThat(signing.rejection(EVENT, signature)).isEmpty();
        assertThat(signing.rejection(altered, signature))
                .contains("its signature with key new does not match its content");
        assertThat(RecordSigning.acceptingUnsigned(NEW).rejection(altered, signature))
                .isPresent();
    }

    /** Services of two versions verify each other's records. */
    @Test
    void signatureOfAnEventIsTheSameInEveryVersion() {
        byte[] signature = RecordSigning.required(NEW).sign(EVENT).orElseThrow().bytes();

        assertThat(HexFormat.of().formatHex(signature))
                .isEqualTo("8eaadceb42fad515bf37c3c53d7e0434db1b995bd3cbe3dc773980292bc86dda");
    }

    static List<List<String>> alteredTexts() {
        return List.of(
                List.of("ab", "c", "e"),
                List.of("a", "bc", "d"),
                List.of("b", "a", "d"),
                List.of("a", "b"),
                List.of("a", "b", "d", ""));
    }

    @ParameterizedTest
    @MethodSource("alteredTexts")
    void rejectsAlteredTexts(List<String> altered) {
        RecordSigning signing = RecordSigning.required(NEW);
        List<String> fields = List.of("a", "b", "d");
        RecordSigning.Signature signature = signing.sign("layout-1", fields).orElseThrow();

        assertThat(signing.rejection("layout-1", fields, signature)).isEmpty();
        assertThat(signing.rejection("layout-1", altered, signature))
                .contains("its signature with key new does not match its content");
        assertThat(signing.rejection("layout-2", fields, signature)).isPresent();
        assertThat(signing.rejection("layout-1", fields, null)).contains("it is not signed");
        assertThat(RecordSigning.OFF.sign("layout-1", fields)).isEmpty();
    }

    @Test
    void signatureDoesNotDependOnTheOrderOfMetadata() {
        RecordSigning signing = RecordSigning.required(NEW);
        Metadata other = Metadata.none().with("d", "e").with("a", "bc");

        RecordSigning.Signature signature = signing.sign(EVENT).orElseThrow();

        assertThat(signing.rejection(with(other, PAYLOAD, LOG_POSITION), signature))
                .isEmpty();
    }

    @Test
    void signsWithTheNewestKeyAndVerifiesWithAll() {
        RecordSigning before = RecordSigning.required(OLD);
        RecordSigning during = RecordSigning.required(OLD, NEW);
        RecordSigning after = RecordSigning.required(NEW, OLD);

        assertThat(during.sign(EVENT).orElseThrow().keyId()).isEqualTo("old");
        assertThat(after.sign(EVENT).orElseThrow().keyId()).isEqualTo("new");
        assertThat(before.rejection(EVENT, during.sign(EVENT).orElseThrow())).isEmpty();
        assertThat(during.rejection(EVENT, after.sign(EVENT).orElseThrow())).isEmpty();
        assertThat(after.rejection(EVENT, before.sign(EVENT).orElseThrow())).isEmpty();
        assertThat(before.rejection(EVENT, after.sign(EVENT).orElseThrow()))
                .contains("it is signed with the unknown key new");
    }

    @Test
    void rejectsSignatureUnderTheIdOfAnotherKey() {
        RecordSigning signing = RecordSigning.required(NEW, OLD);
        byte[] bytes = signing.sign(EVENT).orElseThrow().bytes();

        assertThat(signing.rejection(EVENT, new RecordSigning.Signature("old", bytes)))
                .isPresent();
    }

    @Test
    void acceptsUnsignedRecordsUnlessSignaturesAreRequired() {
        assertThat(RecordSigning.OFF.rejection(EVENT, null)).isEmpty();
        assertThat(RecordSigning.acceptingUnsigned(NEW).rejection(EVENT, null)).isEmpty();
        assertThat(RecordSigning.required(NEW).rejection(EVENT, null)).contains("it is not signed");
    }

    @Test
    void neitherSignsNorVerifiesWhenOff() {
        RecordSigning.Signature wrong = new RecordSigning.Signature("new", new byte[32]);

        assertThat(RecordSigning.OFF.sign(EVENT)).isEmpty();
        assertThat(RecordSigning.OFF.rejection(EVENT, wrong)).isEmpty();
    }

    @Test
    void rejectsInvalidKeys() {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> new RecordSigning.Key("k", new byte[15]))
                .withMessage("key k for signing records has 15 bytes; it needs at least 16");
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> new RecordSigning.Key(" ", new byte[16]))
                .withMessage("a key for signing records needs an id");
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> RecordSigning.required(NEW, key("new", 3)))
                .withMessage("two keys for signing records have the id new; rename one");
    }

    @Test
    void neverPrintsSecrets() {
        assertThat(NEW).hasToString("key new");
        assertThat(RecordSigning.required(NEW).sign(EVENT).orElseThrow()).hasToString("signature with key new");
    }
}
