package io.holdfast.hazelcast;

import io.holdfast.tck.harness.WireHarness;
import io.holdfast.tck.wire.WireKit;

class HazelcastWireTests extends WireKit {

    @Override
    protected WireHarness newHarness() {
        return new ClientWireHarness();
    }
}
