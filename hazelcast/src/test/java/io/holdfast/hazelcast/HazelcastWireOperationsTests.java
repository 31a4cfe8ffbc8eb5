package io.holdfast.hazelcast;

import io.holdfast.tck.harness.WireHarness;
import io.holdfast.tck.wire.WireOperationsKit;

class HazelcastWireOperationsTests extends WireOperationsKit {

    @Override
    protected WireHarness newHarness() {
        return new ClientWireHarness();
    }
}
