package io.holdfast.saga.tracking;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/** What the timeout detector needs to know of one saga type. Thread-safe. */
public interface JudgedSagas {

    /** Returns the saga type. */
    String type();

    /** Returns the streams that contain the events of the sagas, of this service and of others. */
    Collection<String> streams();

    /** Returns the other services that may have letters of these sagas, as far as they are known. */
    Collection<String> participants();

    /** Returns whether a letter of this service suspends the deadline of its saga. */
    boolean isSuspendedBy(SagaLetter own);

    /** Returns how long a saga may take. */
    Duration timeLimit();

    /** Returns the keys of this service whose states the judgement probably reads. */
    Collection<AggregateKey> keys(SagaState saga);

    /** Times a saga out, in a decision: changes its row, and appends what compensates it. */
    void timeOut(SagaState saga, DecisionContext context, Instant now);

    /** Returns a saga whose suspension ends: it gets its full time again. */
    SagaState resumed(SagaState saga, Instant now);
}
