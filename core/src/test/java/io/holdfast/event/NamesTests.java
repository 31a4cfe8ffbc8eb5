package io.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTests {

    @Test
    void acceptsAnyCompleteCharacter() {
        assertThat(Names.require("key", "ä \ud83d\ude00")).isEqualTo("ä \ud83d\ude00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\ud83d", "\ude00a", "\ud83d\ud83d\ude00"})
    void rejectsUnpairedSurrogates(String name) {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> Names.require("key", name))
                .withMessage("key must not contain an unpaired surrogate");
    }

    @Test
    void rejectsUnpairedSurrogatesInMetadata() {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> Metadata.of(Map.of("note", "a\ud83d")))
                .withMessage("metadata note must not contain NUL or an unpaired surrogate");
    }
}
