package io.holdfast.memory;

import io.holdfast.tck.WireHarness;
import io.holdfast.tck.WireKit;

class InMemoryWireTests extends WireKit {

    @Override
    protected WireHarness newHarness() {
        return new InMemoryWireHarness();
    }
}
