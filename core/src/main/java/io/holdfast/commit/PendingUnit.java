package io.holdfast.commit;

import java.util.concurrent.CompletableFuture;

/** A unit and who waits for it. */
record PendingUnit(CommitUnit unit, CompletableFuture<UnitOutcome> outcome) {

    PendingUnit asRepeatable() {
        return new PendingUnit(unit.asRepeatable(), outcome);
    }
}
