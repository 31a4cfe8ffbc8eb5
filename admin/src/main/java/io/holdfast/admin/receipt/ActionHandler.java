package io.holdfast.admin.receipt;

import io.holdfast.action.Action;
import io.holdfast.admin.gateway.Operator;
import java.util.concurrent.CompletableFuture;

/** Checks requests for actions of some kinds at their owner. Thread-safe. */
public interface ActionHandler {

    /** Returns whether this handler is responsible for a kind of action. */
    boolean handles(Action.Kind kind);

    /**
     * Checks a request and selects its items. May query the store, but must not wait.
     *
     * @param request the action without items and further options
     * @return the action to store; fails with an {@link io.holdfast.admin.gateway.OperatorProblem} if the request is
     *     refused, and nothing is stored then
     */
    CompletableFuture<Action> prepare(Action request, boolean force, Operator operator);
}
