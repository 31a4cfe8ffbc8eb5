package io.holdfast.hazelcast;

import io.holdfast.tck.WireHarness;
import io.holdfast.tck.WireKit;

class EmbeddedHazelcastWireTests extends WireKit {

    @Override
    protected WireHarness newHarness() {
        return new EmbeddedWireHarness();
    }
}
