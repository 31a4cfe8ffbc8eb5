package io.holdfast.memory;

import io.holdfast.tck.deadletter.LetterOutcomesKit;
import io.holdfast.tck.harness.StoreHarness;

class InMemoryLetterOutcomesTests extends LetterOutcomesKit {

    @Override
    protected StoreHarness newHarness() {
        return new InMemoryStoreHarness();
    }
}
