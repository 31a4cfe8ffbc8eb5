package io.holdfast.memory;

import io.holdfast.tck.harness.WireHarness;
import io.holdfast.tck.wire.WireKit;

class InMemoryWireTests extends WireKit {

    @Override
    protected WireHarness newHarness() {
        return new InMemoryWireHarness();
    }
}
