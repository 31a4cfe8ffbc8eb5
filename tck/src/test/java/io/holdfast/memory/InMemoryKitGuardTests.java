package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdfast.tck.KitGuard;
import org.junit.jupiter.api.Test;

class InMemoryKitGuardTests {

    @Test
    void everyKitRunsInMemory() {
        assertThatCode(() -> KitGuard.assertEveryKitRuns(InMemoryKitGuardTests.class, "InMemory"))
                .doesNotThrowAnyException();
    }
}
