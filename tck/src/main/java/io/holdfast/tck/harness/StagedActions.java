package io.holdfast.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.OperationItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Requester;
import io.holdfast.action.Settlement;
import io.holdfast.action.Staging;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.util.List;
import java.util.Objects;

/** Stages actions and reads their receipts. Not thread-safe. */
public final class StagedActions {

    public static final Requester ANA =
            new Requester("ana", "OPERATOR", "restocked, OPS-12", new Requester.Via("order", "order-1", "192.0.2.7"));

    /** The replica that runs operations. */
    public static final String REPLICA = "kit-1";

    private static final int ALL = 100_000;

    private final ActionStore store;
    private int staged;

    public StagedActions(ActionStore store) {
        this.store = store;
    }

    public static Action action(String id, Kind kind, List<? extends Action.Item> items) {
        return Action.of(id, kind, "target of " + id, "hash", ANA, items);
    }

    /** Returns what became of the letters of an action, so far. */
    public static List<LetterOutcome> outcomes(ActionStore store, String action) {
        return store.findItems(action, 0, ALL).stream()
                .flatMap(item -> item.letterOutcome().stream())
                .toList();
    }

    /** Stages an operation and returns the settlement with which it is applied. */
    public Settlement operation(Kind kind, String name) {
        String id = "operation-" + ++staged;
        Staging staging = store.stage(action(id, kind, List.of(new OperationItem(kind.name(), name))));
        assertThat(staging).isInstanceOf(Staging.Staged.class);
        OpenItem open = store.findOpen(ALL).stream()
                .filter(item -> item.action().equals(id))
                .findFirst()
                .orElseThrow();
        return Settlement.applied(open, REPLICA);
    }

    /** Settles the item of an operation before the operation runs. */
    public void refuse(Settlement settlement) {
        List<OpenItem> open = store.findOpen(ALL).stream()
                .filter(item -> item.action().equals(settlement.action()))
                .toList();
        store.settle(open, Outcome.REFUSED, "too late", REPLICA);
    }

    public Receipt receipt(String action) {
        return store.find(List.of(action)).get(0);
    }

    public boolean isOpen(Settlement settlement) {
        return !receipt(settlement.action()).isDone();
    }

    public void assertApplied(Settlement settlement) {
        Receipt.Result result = Objects.requireNonNull(
                store.findItems(settlement.action(), settlement.item(), 1)
                        .get(0)
                        .result(),
                "the item is open");
        assertThat(result.outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(result.replica()).isEqualTo(REPLICA);
    }
}
