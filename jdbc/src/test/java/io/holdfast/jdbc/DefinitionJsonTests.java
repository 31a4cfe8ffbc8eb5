package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.token.ComponentDefinition;
import io.holdfast.token.ProcessorDefinition;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Definitions that another release has written or will read. */
class DefinitionJsonTests {

    /** What a release without saga types knows of a component. */
    private record EarlierComponent(Map<String, String> types, boolean resettable, boolean callsOutside) {}

    private static final JsonMapper EARLIER_RELEASE = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final ProcessorDefinition LIMITED = ProcessorDefinition.of(Map.of(
            "billing",
            new ComponentDefinition(Map.of("Placed", "1.0", "Paid@1", "2.0"), Map.of("X", "2.0"), true, false)));

    @Test
    void definitionWithoutSagaTypesCoversEveryEvent() {
        ProcessorDefinition read = DefinitionJson.read(
                3, "{\"billing\":{\"types\":{\"Placed\":\"1.0\"},\"resettable\":true,\"callsOutside\":false}}");

        assertThat(read)
                .isEqualTo(new ProcessorDefinition(
                        3, Map.of("billing", new ComponentDefinition(Map.of("Placed", "1.0"), true, false))));
        assertThat(read.find("billing")).get().returns(false, ComponentDefinition::isLimited);
    }

    @Test
    void returnsSagaTypesAndTheirVersions() {
        assertThat(DefinitionJson.read(0, DefinitionJson.write(LIMITED))).isEqualTo(LIMITED);
    }

    /** It then parks the events of all sagas for the version that has the handler, and skips none. */
    @Test
    void earlierReleaseReadsEveryTypeOfALimitedComponent() {
        Map<String, EarlierComponent> read =
                EARLIER_RELEASE.readValue(DefinitionJson.write(LIMITED), new TypeReference<>() {});

        assertThat(read)
                .isEqualTo(
                        Map.of("billing", new EarlierComponent(Map.of("Placed", "1.0", "Paid@1", "2.0"), true, false)));
    }
}
