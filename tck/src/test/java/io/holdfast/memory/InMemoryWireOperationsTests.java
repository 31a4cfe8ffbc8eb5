package io.holdfast.memory;

import io.holdfast.tck.harness.WireHarness;
import io.holdfast.tck.wire.WireOperationsKit;

class InMemoryWireOperationsTests extends WireOperationsKit {

    @Override
    protected WireHarness newHarness() {
        return new InMemoryWireHarness();
    }
}
