package io.holdfast.action;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.event.Names;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an operator or code requests for some letters, or for a part of the system such as a processor.
 *
 * @param id identifies the action across repeated requests
 * @param target what the requester named, for example the id of an entry, or {@code processor orders}
 * @param options the parameters of the request, for example the position of a reset
 * @param requestHash identifies the content of the request: an id may be used for one request only
 * @param timeToLive how long after its staging the action may start; then its open items are not tried
 * @param items the selected letters, or what is operated on, each once
 */
public record Action(
        String id,
        Kind kind,
        String target,
        Map<String, String> options,
        String requestHash,
        Requester requester,
        Duration timeToLive,
        List<Item> items) {

    /** The default of {@link #timeToLive}. */
    public static final Duration TIME_TO_LIVE = Duration.ofHours(1);

    /** The option of a {@link Kind#RESTORE} by force: {@code true} accepts that the order is broken. */
    public static final String FORCE = "force";

    /** The option of an {@link Kind#EDIT}: the new payload as JSON, which was validated. Required. */
    public static final String PAYLOAD = "payload";

    /** The option of an {@link Kind#EDIT}: the version of the letter that the operator has read. */
    public static final String EXPECTED_VERSION = "expectedVersion";

    /** The option of an {@link Kind#EDIT}: {@code true} replays the letter in the same action. */
    public static final String REPLAYS = "replay";

    static final int MAX_TARGET_LENGTH = 600;

    /** What an action does with each of its items. A replica ignores the kinds that only a later version knows. */
    public enum Kind {
        /** Handles the letter again, and those before and behind it. */
        REPLAY,
        /** Removes the letter without effect. */
        DISCARD,
        /** Parks a discarded letter again, as the first one of its sequence. */
        RESTORE,
        /** Replaces the payload of the letter. */
        EDIT,
        /** Stops a processor on all replicas. */
        PAUSE,
        /** Resumes a paused processor. */
        RESUME,
        /** Handles the events of a processor again, in a new generation. */
        RESET,
        /** Splits a segment of a processor. */
        SPLIT,
        /** Merges a segment of a processor with its sibling. */
        MERGE,
        /** Releases a segment, so that another replica can claim it. */
        RELEASE,
        /** Accepts that the source of a stream has lost events. */
        ACCEPT_RESTORE,
        /** Removes a component from a processor. */
        RETIRE,
        /** Removes a consumer group. */
        DELETE_GROUP,
        /** Publishes now what the outbox has failed to publish. */
        RETRY_OUTBOX,
        /** Opens a circuit breaker. */
        OPEN_BREAKER,
        /** Closes a circuit breaker. */
        CLOSE_BREAKER,
        /** Starts a new epoch of the log. */
        RAISE_EPOCH,
        /** Sends the command of a saga's step again. */
        RETRY_STEP,
        /** Leaves a step of a saga out. */
        SKIP_STEP,
        /** Undoes the steps of a saga. */
        COMPENSATE_SAGA,
        /** Ends the compensation of a saga as failed. */
        GIVE_UP_SAGA;

        /**
         * Returns whether what becomes of a letter settles the open item of an action of this kind. An attempt that leaves
         * the letter parked does not settle the discard that waits for it. Handling a letter does not settle an edit, which
         * was not made.
         */
        public boolean isSettledBy(Outcome outcome) {
            return switch (outcome) {
                case APPLIED, ALREADY_APPLIED, DISCARDED, CLEARED -> this == REPLAY || this == DISCARD;
                case FAILED_AGAIN, NOT_TRIED -> this == REPLAY;
                case RESTORED -> this == RESTORE;
                case EDITED -> this == EDIT;
                case REFUSED -> false;
            };
        }
    }

    /** What an action operates on. While its item is open, no other action can select it. */
    public sealed interface Item permits LetterItem, OperationItem {

        /** Returns the text that identifies what the item locks. */
        String lock();
    }

    public Action {
        Names.require("id of action", id);
        if (target.isBlank() || target.length() > MAX_TARGET_LENGTH || !Names.isStorable(target)) {
            throw new PermanentException("target of action " + id + " must be storable, not blank, and at most "
                    + MAX_TARGET_LENGTH + " characters long");
        }
        options = Collections.unmodifiableMap(new TreeMap<>(options));
        items = List.copyOf(items);
    }

    /** Creates an action without options that can start within the default time. */
    public static Action of(
            String id, Kind kind, String target, String requestHash, Requester requester, List<? extends Item> items) {
        return new Action(id, kind, target, Map.of(), requestHash, requester, TIME_TO_LIVE, List.copyOf(items));
    }

    public Action withOptions(Map<String, String> newOptions) {
        return new Action(id, kind, target, newOptions, requestHash, requester, timeToLive, items);
    }

    public Action withItems(List<? extends Item> newItems) {
        return new Action(id, kind, target, options, requestHash, requester, timeToLive, List.copyOf(newItems));
    }

    public Action withTimeToLive(Duration newTimeToLive) {
        return new Action(id, kind, target, options, requestHash, requester, newTimeToLive, items);
    }
}
