package io.holdfast.hazelcast;

import io.holdfast.tck.WireHarness;
import io.holdfast.tck.WireKit;

class HazelcastWireTests extends WireKit {

    @Override
    protected WireHarness newHarness() {
        return new ClientWireHarness();
    }
}
