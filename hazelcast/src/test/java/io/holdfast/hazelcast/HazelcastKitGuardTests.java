package io.holdfast.hazelcast;

import io.holdfast.tck.KitGuard;
import io.holdfast.tck.wire.WireKit;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HazelcastKitGuardTests {

    @ParameterizedTest
    @ValueSource(strings = {"Hazelcast", "EmbeddedHazelcast"})
    void runsEveryWireKit(String adapter) {
        KitGuard.assertEveryKitRuns(HazelcastKitGuardTests.class, adapter, List.of(WireKit.class));
    }
}
