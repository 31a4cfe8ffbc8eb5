package io.holdfast.hazelcast;

import io.holdfast.tck.harness.WireHarness;
import io.holdfast.tck.wire.WireOperationsFailureKit;

class HazelcastWireOperationsFailureTests extends WireOperationsFailureKit {

    @Override
    protected WireHarness newHarness() {
        return new ClientWireHarness();
    }
}
