package io.holdfast.memory;

import io.holdfast.action.Action;
import io.holdfast.action.ActionStore;
import io.holdfast.action.ActionStore.OpenItem;
import io.holdfast.action.Receipt;
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
import java.util.stream.Collectors;

/** Stages and settles actions. Every change of letters settles items too, see {@link InMemoryDeadLetters#apply}. */
final class InMemoryActionStore implements ActionStore {

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
    public List<OpenItem> findOpen(int limit) {
        return actions.findOpen(limit);
    }

    @Override
    public void settle(Collection<OpenItem> items, Outcome outcome, String detail) {
        state.points()
                .pass(
                        CommitPoint.ACTION_SETTLE,
                        () -> items.forEach(item -> actions.settle(item, outcome(item.item(), outcome, detail))));
    }

    @Override
    public void settleRemoved(Collection<OpenItem> items) {
        state.points().pass(CommitPoint.ACTION_SETTLE, () -> items.stream()
                .filter(item -> !state.letters().isParked(letter(item)))
                .forEach(item -> actions.settle(item, removed(item.item()))));
    }

    private static ParkedEvent letter(OpenItem item) {
        return new ParkedEvent(item.item().component(), item.item().event());
    }

    private LetterOutcome removed(Action.Item letter) {
        return findResolved(letter.component(), letter.event())
                .map(ResolvedLetter::outcome)
                .orElseGet(() ->
                        new LetterOutcome(letter.component(), letter.event(), Outcome.ALREADY_APPLIED, null, null, 0));
    }

    private static LetterOutcome outcome(Action.Item letter, Outcome outcome, String detail) {
        return new LetterOutcome(letter.component(), letter.event(), outcome, detail, null, 0);
    }

    @Override
    public int expire(int limit) {
        AtomicInteger count = new AtomicInteger();
        state.head().runLocked(() -> {
            List<OpenItem> expired = findOpen(Integer.MAX_VALUE).stream()
                    .filter(OpenItem::isExpired)
                    .limit(limit)
                    .toList();
            if (!expired.isEmpty()) {
                state.points().pass(CommitPoint.ACTION_EXPIRE, () -> expire(expired));
                count.set(expired.size());
            }
        });
        return count.get();
    }

    private void expire(List<OpenItem> expired) {
        expired.forEach(item -> actions.settle(item, outcome(item.item(), Outcome.NOT_TRIED, LetterOutcome.EXPIRED)));
        Map<String, Set<Integer>> hashes = expired.stream()
                .map(OpenItem::item)
                .collect(Collectors.groupingBy(
                        Action.Item::consumer, Collectors.mapping(Action.Item::hash, Collectors.toSet())));
        hashes.forEach(state.tokens()::raiseVersions);
    }

    @Override
    public Optional<ResolvedLetter> findResolved(String component, UUID event) {
        return actions.findResolved(component, event);
    }

    @Override
    public int deleteExpired(Duration receipts, Duration resolved, int limit) {
        return state.points()
                .pass(
                        CommitPoint.ACTION_DELETE,
                        () -> {
                            Instant now = clock.instant();
                            state.letters().groups().deleteSeenBefore(now.minus(resolved));
                            return actions.delete(now.minus(receipts), now.minus(resolved), limit);
                        });
    }
}
