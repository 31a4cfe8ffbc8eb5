package io.holdfast.memory;

import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.event.Epoch;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.SeenEvent;
import io.holdfast.failover.TailLoss;
import io.holdfast.failover.Witnessed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Opens sessions on one shared state. */
final class InMemoryCommitStore implements CommitStore {

    private final InMemoryState state;

    InMemoryCommitStore(InMemoryState state) {
        this.state = state;
    }

    @Override
    public CommitSession open() {
        return new InMemoryCommitSession(state);
    }

    @Override
    public Epoch raiseEpoch(@Nullable Settlement settlement) {
        state.head().runLocked(() -> state.points().pass(CommitPoint.EPOCH_RAISE, () -> state.letters()
                .actions()
                .settling(settlement, () -> state.log().raiseEpoch(), raised -> true)));
        return state.log().epochs().get(state.log().epochs().size() - 1);
    }

    @Override
    public HeadReading readHead(Witnessed witnessed) {
        return state.log().reading(witnessed);
    }

    @Override
    public Optional<TailLoss> startEpochAfterLoss(List<SeenEvent> verified, Witnessed witnessed) {
        AtomicReference<TailLoss> loss = new AtomicReference<>();
        state.head().runLocked(() -> {
            InMemoryEventLog log = state.log();
            HeadReading head = log.reading(Witnessed.NOTHING);
            Map<Long, UUID> ids = new HashMap<>();
            Stream.concat(verified.stream(), witnessed.unverified().stream())
                    .map(SeenEvent::position)
                    .forEach(
                            position -> Optional.ofNullable(log.idAt(position)).ifPresent(id -> ids.put(position, id)));
            TailLoss.Comparison found = TailLoss.compare(verified, witnessed, ids, head.position());
            if (found.lost().isEmpty() && head.commits() >= witnessed.commits()) {
                return;
            }
            found.newEpoch(log.epochs())
                    .ifPresent(raised -> state.points().pass(CommitPoint.EPOCH_RAISE, () -> log.start(raised)));
            Epoch newest = log.epochs().get(log.epochs().size() - 1);
            loss.set(new TailLoss(found.commonPosition(), found.lost(), newest, head.commits()));
        });
        return Optional.ofNullable(loss.get());
    }
}
