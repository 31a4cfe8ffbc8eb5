package io.holdfast.action;

import io.holdfast.action.ReceiptQuery.Cursor;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of an action, so far. Its items are read in pages, see {@link ActionStore#findItems}.
 *
 * @param requestedAt when the action was staged, on the store's clock
 * @param deadline until when an open item may start, on the store's clock
 * @param stopped null unless an operator has stopped the action
 * @param alsoHandled the number of letters that followed automatically: those behind a letter of the action.
 *     It does not change when their records expire
 * @param endedAt when the last item was settled; null while an item is open
 */
public record Receipt(
        String action,
        Action.Kind kind,
        String target,
        Map<String, String> options,
        String requestHash,
        Requester requester,
        Instant requestedAt,
        Instant deadline,
        @Nullable Stop stopped,
        Totals totals,
        long alsoHandled,
        @Nullable Instant endedAt) {

    public Receipt {
        options = Map.copyOf(options);
    }

    /** Whether an action may start its open items. An action whose items are all settled is done in both states. */
    public enum State {
        ACTIVE,
        /** An operator has stopped the action; its open items were not tried. */
        STOPPED
    }

    /** Who has stopped an action, and when. */
    public record Stop(Requester by, Instant at) {}

    /**
     * How many items there are. {@code selected = open + all outcomes}, always.
     *
     * @param selected the number of items. It does not change, except that a reset adds the letters that it removes
     * @param outcomes the number of settled items by outcome, without those that have none
     */
    public record Totals(long selected, long open, Map<Outcome, Long> outcomes) {

        public Totals {
            Map<Outcome, Long> ordered = new EnumMap<>(Outcome.class);
            outcomes.forEach((outcome, count) -> {
                if (count > 0) {
                    ordered.put(outcome, count);
                }
            });
            outcomes = Collections.unmodifiableMap(ordered);
        }

        public long count(Outcome outcome) {
            return outcomes.getOrDefault(outcome, 0L);
        }
    }

    /**
     * One item of the action.
     *
     * @param number from 0, in the order of the action
     * @param result null while the item is open
     */
    public record Item(int number, Action.Item item, @Nullable Result result) {

        public boolean isOpen() {
            return result == null;
        }

        /** Returns what became of a letter; empty for an open item and for an operation. */
        public Optional<LetterOutcome> letterOutcome() {
            return item instanceof LetterItem letter && result != null
                    ? Optional.of(new LetterOutcome(
                            letter.component(),
                            letter.event(),
                            result.outcome(),
                            result.detail(),
                            result.cause(),
                            result.appended()))
                    : Optional.empty();
        }
    }

    /**
     * What became of an item.
     *
     * @param detail as {@link LetterOutcome#detail}, or what an operation reports
     * @param appended the number of events that handling the letter has appended
     * @param at on the store's clock
     * @param replica the replica that has settled the item; null if it is unknown, because code outside of a processor
     *     has changed the letter
     */
    public record Result(
            Outcome outcome,
            @Nullable String detail,
            @Nullable Cause cause,
            int appended,
            Instant at,
            @Nullable String replica) {

        /** The detail of an operation that has changed the memory of a replica only, for example a circuit breaker. */
        public static final String NOT_DURABLE = "not-durable";

        /** Returns whether the effect survives a restart of the replica. */
        public boolean isDurable() {
            return !NOT_DURABLE.equals(detail);
        }
    }

    public State state() {
        return stopped == null ? State.ACTIVE : State.STOPPED;
    }

    public long selected() {
        return totals.selected();
    }

    public long open() {
        return totals.open();
    }

    public long count(Outcome outcome) {
        return totals.count(outcome);
    }

    public boolean isDone() {
        return totals.open() == 0;
    }

    /** Returns the cursor of the page that begins after this receipt. */
    public Cursor cursor() {
        return new Cursor(requestedAt, action);
    }
}
