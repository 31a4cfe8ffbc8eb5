package io.holdfast.memory;

import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.event.Epoch;

/** Opens sessions on one shared state. */
final class InMemoryCommitStore implements CommitStore {

    private final InMemoryState state;

    InMemoryCommitStore(InMemoryState state) {
        this.state = state;
    }

    @Override
    public CommitSession open() {
        return new InMemoryCommitSession(state);
    }

    @Override
    public Epoch raiseEpoch() {
        state.head().runLocked(() -> state.points()
                .pass(CommitPoint.EPOCH_RAISE, () -> state.log().raiseEpoch()));
        return state.log().epochs().get(state.log().epochs().size() - 1);
    }
}
