package io.holdfast.hazelcast;

import io.holdfast.tck.KitGuard;
import io.holdfast.tck.Kits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HazelcastKitGuardTests {

    @ParameterizedTest
    @ValueSource(strings = {"Hazelcast", "EmbeddedHazelcast"})
    void runsEveryWireKit(String adapter) {
        KitGuard.assertEveryKitRuns(HazelcastKitGuardTests.class, adapter, Kits.WIRE);
    }
}
