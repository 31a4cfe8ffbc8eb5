package io.holdfast.memory;

import io.holdfast.tck.harness.WireHarness;
import io.holdfast.tck.wire.WireOperationsFailureKit;

class InMemoryWireOperationsFailureTests extends WireOperationsFailureKit {

    @Override
    protected WireHarness newHarness() {
        return new InMemoryWireHarness();
    }
}
