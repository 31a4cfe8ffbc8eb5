package io.holdfast.memory;

import io.holdfast.action.Action;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.ReceiptQuery;
import io.holdfast.action.Requester;
import io.holdfast.action.Settlement;
import io.holdfast.action.Staging;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.UnitChecks.ParkedEvent;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.deadletter.ResolvedLetter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stages and settles actions. Every change of letters settles items too, see {@link InMemoryDeadLetters#apply}. Whatever
 * settles items has locked the head, as units have; staging has not.
 */
final class InMemoryActionStore implements ActionStore {

    private static final int STOP_PAGE_SIZE = 2_000;

    private final InMemoryState state;
    private final InMemoryActions actions;
    private final Clock clock;

    InMemoryActionStore(InMemoryState state, Clock clock) {
        this.state = state;
        this.actions = state.letters().actions();
        this.clock = clock;
    }

    @Override
    public Staging stage(Action action) {
        return state.points().pass(CommitPoint.ACTION_STAGE, () -> actions.stage(action));
    }

    @Override
    public List<Receipt> find(Collection<String> ids) {
        return actions.find(ids);
    }

    @Override
    public List<Receipt> findReceipts(ReceiptQuery query) {
        return actions.find(query);
    }

    @Override
    public List<Receipt.Item> findItems(String action, int fromItem, int limit) {
        return actions.findItems(action, fromItem, limit);
    }

    @Override
    public List<OpenItem> findOpen(int limit) {
        return actions.findOpen(item -> true, limit);
    }

    @Override
    public List<OpenItem> retainOpen(Collection<OpenItem> items) {
        return actions.retainOpen(items);
    }

    @Override
    public void settle(Collection<OpenItem> items, Outcome outcome, @Nullable String detail, String replica) {
        underHead(
                CommitPoint.ACTION_SETTLE,
                () -> items.forEach(item -> actions.settle(item, outcome, Settlement.shortened(detail), replica)));
    }

    @Override
    public void settleRemoved(Collection<OpenItem> items, String replica) {
        underHead(CommitPoint.ACTION_SETTLE, () -> items.stream()
                .filter(item -> !state.letters().isParked(letter(item)))
                .forEach(item -> actions.settle(item, removed(item.letter()), replica)));
    }

    private static ParkedEvent letter(OpenItem item) {
        return new ParkedEvent(item.letter().component(), item.letter().event());
    }

    private LetterOutcome removed(LetterItem letter) {
        return findResolved(letter.component(), letter.event())
                .map(ResolvedLetter::outcome)
                .orElseGet(() ->
                        new LetterOutcome(letter.component(), letter.event(), Outcome.ALREADY_APPLIED, null, null, 0));
    }

    @Override
    public int expire(int limit, String replica) {
        return expire(item -> true, limit, replica);
    }

    private int expire(Predicate<OpenItem> which, int limit, String replica) {
        AtomicInteger count = new AtomicInteger();
        state.head().runLocked(() -> {
            List<OpenItem> expired = actions.findOpen(which.and(OpenItem::isExpired), limit);
            if (!expired.isEmpty()) {
                state.points().pass(CommitPoint.ACTION_EXPIRE, () -> expire(expired, replica));
                count.set(expired.size());
            }
        });
        return count.get();
    }

    private void expire(List<OpenItem> expired, String replica) {
        expired.forEach(item -> actions.settle(
                item,
                Outcome.NOT_TRIED,
                actions.isStopped(item) ? LetterOutcome.STOPPED : LetterOutcome.EXPIRED,
                replica));
        Map<String, Set<Integer>> hashes = expired.stream()
                .filter(OpenItem::isLetter)
                .map(OpenItem::letter)
                .collect(Collectors.groupingBy(
                        LetterItem::consumer, Collectors.mapping(LetterItem::hash, Collectors.toSet())));
        hashes.forEach(state.tokens()::raiseVersions);
    }

    @Override
    public Optional<Receipt> stop(String action, Requester requester, String replica) {
        underHead(CommitPoint.ACTION_STOP, () -> actions.stop(action, requester));
        int settled = STOP_PAGE_SIZE;
        while (settled == STOP_PAGE_SIZE) {
            settled = expire(item -> item.action().equals(action), STOP_PAGE_SIZE, replica);
        }
        return find(List.of(action)).stream().findFirst();
    }

    @Override
    public Optional<ResolvedLetter> findResolved(String component, UUID event) {
        return actions.findResolved(component, event);
    }

    @Override
    public boolean deleteExpired(Duration receipts, Duration resolved, int limit) {
        return state.points().pass(CommitPoint.ACTION_DELETE, () -> {
            Instant now = clock.instant();
            state.letters().groups().deleteSeenBefore(now.minus(resolved));
            return actions.delete(now.minus(receipts), now.minus(resolved), limit);
        });
    }

    private void underHead(CommitPoint point, Runnable write) {
        state.head().runLocked(() -> state.points().pass(point, write::run));
    }
}
