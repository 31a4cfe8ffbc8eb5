package io.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class PayloadCodecTests {

    private final PayloadCodec codec = new PayloadCodec();

    @Test
    void encodesAndDecodesByTheSimpleNameOfTheClass() {
        Payload payload = codec.encode(new Renamed("ann", 3));

        assertThat(payload.type()).isEqualTo("Renamed");
        assertThat(codec.decode(payload, Renamed.class)).isEqualTo(new Renamed("ann", 3));
    }

    @Test
    void encodesWithTheNameAndRevisionOfTheAnnotation() {
        Payload payload = codec.encode(new NamedOtherwise("x"));

        assertThat(payload.type()).isEqualTo("CustomerRenamed");
        assertThat(payload.revision()).isEqualTo(3);
    }

    @Test
    void decodesOlderRevisionsThroughAllUpcasters() {
        PayloadCodec upcasting = new PayloadCodec(
                JsonMapper.builder().build(),
                PayloadCodec.DEFAULT_MAX_SIZE,
                List.of(
                        new Upcaster("OldName", 1, "CustomerRenamed", json -> json),
                        Upcaster.of("CustomerRenamed", 2, json -> {
                            json.put("name", json.get("title").asString());
                            json.remove("title");
                            return json;
                        })));
        Payload stored = new Payload("OldName", 1, "{\"title\":\"ann\"}");

        assertThat(upcasting.decode(stored, NamedOtherwise.class)).isEqualTo(new NamedOtherwise("ann"));
        assertThat(upcasting.upcast(stored).type()).isEqualTo("CustomerRenamed");
        assertThat(upcasting.upcast(stored).revision()).isEqualTo(3);
    }

    /** A newer version of the service may have added them. */
    @Test
    void decodesEventsWithUnknownPropertiesWhateverTheMapper() {
        PayloadCodec strict = new PayloadCodec(
                JsonMapper.builder()
                        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .build(),
                PayloadCodec.DEFAULT_MAX_SIZE,
                List.of());
        Payload newer = new Payload("Renamed", 1, "{\"name\":\"ann\",\"by\":{\"id\":1},\"count\":3}");

        assertThat(codec.decode(newer, Renamed.class)).isEqualTo(new Renamed("ann", 3));
        assertThat(strict.decode(newer, Renamed.class)).isEqualTo(new Renamed("ann", 3));
    }

    @Test
    void refusesHigherRevisionUnlessAnUpcasterKnowsIt() {
        Payload newer = new Payload("Renamed", 2, "{\"name\":\"ann\",\"count\":3}");
        PayloadCodec renaming = new PayloadCodec(
                JsonMapper.builder().build(),
                PayloadCodec.DEFAULT_MAX_SIZE,
                List.of(new Upcaster("OldName", 2, "Renamed", json -> json)));
        Payload old = new Payload("OldName", 2, newer.json());

        assertThatThrownBy(() -> renaming.decodeForUpdate(newer, Renamed.class, "row a/b"))
                .isInstanceOf(UnsupportedHereException.class)
                .hasMessageStartingWith("row a/b has revision 2 of Renamed, but ");
        assertThat(renaming.decodeForUpdate(old, Renamed.class, "row a/b").value())
                .isEqualTo(new Renamed("ann", 3));
    }

    @Test
    void rejectsTwoUpcastersForOneRevision() {
        Upcaster upcaster = Upcaster.of("Renamed", 1, json -> json);

        assertThatThrownBy(() -> new PayloadCodec(JsonMapper.builder().build(), 100, List.of(upcaster, upcaster)))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("revision 1 of event type Renamed");
    }

    @Test
    void rejectsPayloadsWithTooManyBytes() {
        PayloadCodec small = new PayloadCodec(JsonMapper.builder().build(), 40, List.of());

        assertThat(small.encode(new Renamed("x".repeat(10), 1)).size()).isLessThanOrEqualTo(40);
        assertThatThrownBy(() -> small.encode(new Renamed("\u20ac".repeat(10), 1)))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("more than the 40 allowed")
                .hasMessageContaining("framework.wire.max-event-size")
                .hasMessageNotContaining("\u20ac");
    }

    @Test
    void rejectsValuesThatCannotBeEncoded() {
        List<Object> endless = new ArrayList<>();
        endless.add(endless);

        assertThatThrownBy(() -> codec.encode(new Holder(endless)))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("Holder");
    }

    @Test
    void reportsTheLocationOfADecodingErrorWithoutItsContent() {
        Payload wrong = new Payload("Renamed", 1, "{\"name\":\"secret\",\"count\":\"not a number: secret\"}");

        assertThatThrownBy(() -> codec.decode(wrong, Renamed.class))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("Renamed")
                .hasMessageContaining("line 1")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> codec.decode(new Payload("Renamed", 1, "null"), Renamed.class))
                .isInstanceOf(PermanentException.class);
    }

    @Test
    void printsTypeAndSizeButNeverContent() {
        assertThat(codec.encode(new Renamed("secret", 1)).toString())
                .contains("Renamed")
                .doesNotContain("secret");
    }

    record Renamed(String name, int count) {}

    @EventType(value = "CustomerRenamed", revision = 3)
    record NamedOtherwise(String name) {}

    record Holder(List<Object> content) {}

    @Test
    void acceptsEncodedPayloadUnchangedButChecksIt() {
        PayloadCodec small = new PayloadCodec(JsonMapper.builder().build(), 20, List.of());
        Payload payload = new Payload("ReminderDue", 2, "{\"id\":1}");

        assertThat(small.encode(payload)).isEqualTo(payload);
        assertThatThrownBy(() -> small.encode(new Payload("ReminderDue", 1, "{\"id\":\"" + "x".repeat(20) + "\"}")))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("more than the 20 allowed");
        assertThatThrownBy(() -> small.encode(new Payload("ReminderDue", 1, "{\"id\":\"\ud83d\"}")))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("unpaired surrogate");
    }
}
