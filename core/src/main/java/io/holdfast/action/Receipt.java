package io.holdfast.action;

import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of an action, so far. {@code selected = open + all outcomes}, always.
 *
 * @param selected the number of letters that were selected when the action was staged
 * @param deadline until when an open item may start, on the store's clock
 * @param items in the order of the action
 */
public record Receipt(
        String action,
        Action.Kind kind,
        String requestHash,
        String operator,
        Instant requestedAt,
        Instant deadline,
        int selected,
        List<Item> items) {

    public Receipt {
        items = List.copyOf(items);
    }

    /**
     * One letter of the action.
     *
     * @param outcome null while the item is open
     * @param settledAt null while the item is open
     */
    public record Item(Action.Item letter, @Nullable LetterOutcome outcome, @Nullable Instant settledAt) {

        public boolean isOpen() {
            return outcome == null;
        }
    }

    public long open() {
        return items.stream().filter(Item::isOpen).count();
    }

    public long count(Outcome outcome) {
        return outcomes().stream().filter(letter -> letter.outcome() == outcome).count();
    }

    /** Returns the outcomes of the settled items. */
    public List<LetterOutcome> outcomes() {
        return items.stream()
                .flatMap(item -> Optional.ofNullable(item.outcome()).stream())
                .toList();
    }

    public boolean isDone() {
        return open() == 0;
    }
}
