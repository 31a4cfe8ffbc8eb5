package io.holdfast.action;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.Names;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * What an operator or code requests for some letters.
 *
 * @param id identifies the action across repeated requests
 * @param requestHash identifies the content of the request: an id may be used for one request only
 * @param operator who requests it
 * @param timeToLive how long after its staging the action may start; then its open items are not tried
 * @param items the selected letters, each once
 */
public record Action(String id, Kind kind, String requestHash, String operator, Duration timeToLive, List<Item> items) {

    /** The default of {@link #timeToLive}. */
    public static final Duration TIME_TO_LIVE = Duration.ofHours(1);

    /** The operator of actions that code requests. */
    public static final String CODE = "code";

    /** What an action does with each letter. */
    public enum Kind {
        /** Handles the letter again, and those before and behind it. */
        REPLAY,
        /** Removes the letter without effect. */
        DISCARD
    }

    /**
     * One letter of an action.
     *
     * @param consumer the name of the processor
     * @param hash the hash of the sequence; the replica that has claimed its segment runs the action
     */
    public record Item(SequenceId sequence, UUID event, String consumer, int hash) {

        public static Item of(DeadLetter letter, ParkedSequence sequence) {
            return new Item(letter.sequence(), letter.message().id(), sequence.consumer(), sequence.hash());
        }

        public String component() {
            return sequence.component();
        }
    }

    public Action {
        Names.require("id of action", id);
        Names.require("operator", operator);
        items = List.copyOf(items);
    }
}
