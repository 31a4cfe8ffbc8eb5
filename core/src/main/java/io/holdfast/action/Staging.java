package io.holdfast.action;

/** The result of staging an action. */
public sealed interface Staging {

    /** The action is durable, and runs. */
    record Staged(Receipt receipt) implements Staging {}

    /** The same request was staged before. Nothing was changed. */
    record Known(Receipt receipt) implements Staging {}

    /** The id was used for another request. Nothing was changed. */
    record OtherRequest(Receipt receipt) implements Staging {}

    /**
     * A letter, or what the operation names, has an open item. Nothing was changed.
     *
     * @param action the id of the action that the item belongs to
     */
    record InProgress(String action) implements Staging {}
}
