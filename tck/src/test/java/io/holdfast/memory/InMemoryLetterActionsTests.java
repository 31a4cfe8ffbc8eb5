package io.holdfast.memory;

import io.holdfast.tck.deadletter.LetterActionsKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryLetterActionsTests extends LetterActionsKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}
