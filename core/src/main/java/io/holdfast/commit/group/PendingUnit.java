package io.holdfast.commit.group;

import java.util.concurrent.CompletableFuture;

/** A waiting unit and the future that its caller waits for. */
record PendingUnit(CommitUnit unit, CompletableFuture<UnitOutcome> outcome) {

    PendingUnit asRepeatable() {
        return new PendingUnit(unit.asRepeatable(), outcome);
    }
}
