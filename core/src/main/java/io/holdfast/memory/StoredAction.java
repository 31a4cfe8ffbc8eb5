package io.holdfast.memory;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Receipt.Item;
import io.holdfast.action.Receipt.Result;
import io.holdfast.action.Receipt.Stop;
import io.holdfast.action.Receipt.Totals;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An action with its items. Guarded by the monitor of {@link InMemoryActions}. */
final class StoredAction {

    private final Action action;
    private final Instant requestedAt;
    private final List<Item> items = new ArrayList<>();
    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private final Set<Integer> replays = new HashSet<>();
    private @Nullable Stop stopped;
    private Instant lastSettled;
    private int open;
    private long alsoHandled;

    StoredAction(Action action, Instant requestedAt) {
        this.action = action;
        this.requestedAt = requestedAt;
        this.lastSettled = requestedAt;
        this.open = action.items().size();
        action.items().forEach(item -> items.add(new Item(items.size(), item, null)));
    }

    Action action() {
        return action;
    }

    Instant requestedAt() {
        return requestedAt;
    }

    boolean isDone() {
        return open == 0;
    }

    Stream<OpenItem> openItems(Instant now) {
        return items.stream().filter(Item::isOpen).map(item -> openItem(item.number(), now));
    }

    OpenItem openItem(int number, Instant now) {
        return new OpenItem(
                action.id(),
                number,
                replays.contains(number) ? Kind.REPLAY : action.kind(),
                items.get(number).item(),
                isExpired(now));
    }

    boolean isOpen(int number) {
        return number < items.size() && items.get(number).isOpen();
    }

    boolean isStopped() {
        return stopped != null;
    }

    private boolean isExpired(Instant now) {
        return isStopped() || !requestedAt.plus(action.timeToLive()).isAfter(now);
    }

    List<Item> items(int from, int limit) {
        return items.stream().skip(from).limit(limit).toList();
    }

    boolean selects(@Nullable String component, @Nullable UUID event) {
        return items.stream()
                .map(Item::item)
                .anyMatch(item -> item instanceof LetterItem letter
                        && (component == null || component.equals(letter.component()))
                        && (event == null || event.equals(letter.event())));
    }

    void stop(Stop by) {
        stopped = by;
    }

    /** Lets an item replay the letter that it has edited. */
    void replay(int number) {
        replays.add(number);
    }

    boolean isEdited(int number) {
        return replays.contains(number);
    }

    void settle(int number, Result result) {
        items.set(number, new Item(number, items.get(number).item(), result));
        open--;
        count(result);
    }

    /** Adds an item that is settled already. */
    void add(Action.Item item, Result result) {
        items.add(new Item(items.size(), item, result));
        count(result);
    }

    /** Counts a letter that followed automatically. */
    void countFollowing() {
        alsoHandled++;
    }

    private void count(Result result) {
        outcomes.merge(result.outcome(), 1L, Long::sum);
        lastSettled = result.at();
    }

    Receipt receipt() {
        return new Receipt(
                action.id(),
                action.kind(),
                action.target(),
                action.options(),
                action.requestHash(),
                action.requester(),
                requestedAt,
                requestedAt.plus(action.timeToLive()),
                stopped,
                new Totals(items.size(), open, outcomes),
                alsoHandled,
                isDone() ? lastSettled : null);
    }

    /** Returns the numbers of the open items. */
    int[] openNumbers() {
        return IntStream.range(0, items.size()).filter(this::isOpen).toArray();
    }
}
