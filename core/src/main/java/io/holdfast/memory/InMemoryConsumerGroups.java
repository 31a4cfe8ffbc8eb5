package io.holdfast.memory;

import io.holdfast.PermanentException;
import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitPoint;
import io.holdfast.event.StreamPosition;
import io.holdfast.wire.ConsumerGroup;
import io.holdfast.wire.ConsumerGroups;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Groups by name and stream. Guarded by its own monitor. A group registers under the head lock, so that nothing is
 * removed in the meantime.
 */
final class InMemoryConsumerGroups implements ConsumerGroups {

    private final InMemoryHead head;
    private final InMemoryActions actions;
    private final Clock clock;
    private final CommitPoint.Observer points;
    private final Map<List<String>, ConsumerGroup> groups = new HashMap<>();

    InMemoryConsumerGroups(InMemoryHead head, InMemoryActions actions, Clock clock, CommitPoint.Observer points) {
        this.head = head;
        this.actions = actions;
        this.clock = clock;
        this.points = points;
    }

    @Override
    public ConsumerGroup register(String group, String stream) {
        head.runLocked(() -> points.pass(CommitPoint.GROUP_REGISTER, () -> {
            synchronized (this) {
                groups.putIfAbsent(
                        List.of(group, stream), new ConsumerGroup(group, stream, null, null, clock.instant()));
            }
        }));
        return find(group, stream);
    }

    @Override
    public ConsumerGroup storeStart(String group, String stream, StreamPosition start) {
        points.pass(CommitPoint.GROUP_START, () -> {
            synchronized (this) {
                if (find(group, stream).start() == null) {
                    put(new ConsumerGroup(group, stream, start, start, clock.instant()));
                }
            }
        });
        return find(group, stream);
    }

    @Override
    public boolean report(String group, String stream, StreamPosition reached) {
        boolean[] started = new boolean[1];
        points.pass(CommitPoint.GROUP_REPORT, () -> {
            synchronized (this) {
                ConsumerGroup registered = groups.get(List.of(group, stream));
                started[0] = registered != null && registered.start() != null;
                if (started[0]) {
                    StreamPosition start = Objects.requireNonNull(registered).start();
                    put(new ConsumerGroup(group, stream, start, reached, clock.instant()));
                }
            }
        });
        return started[0];
    }

    @Override
    public synchronized List<ConsumerGroup> findAll() {
        List<ConsumerGroup> all = new ArrayList<>(groups.values());
        all.sort(Comparator.comparing(ConsumerGroup::name).thenComparing(ConsumerGroup::stream));
        return all;
    }

    @Override
    public boolean remove(String group, @Nullable Settlement settlement) {
        return points.pass(CommitPoint.GROUP_REMOVE, () -> {
            synchronized (this) {
                return actions.settling(
                        settlement,
                        () -> groups.values()
                                .removeIf(registered -> registered.name().equals(group)),
                        removed -> removed);
            }
        });
    }

    private void put(ConsumerGroup group) {
        groups.put(List.of(group.name(), group.stream()), group);
    }

    private synchronized ConsumerGroup find(String group, String stream) {
        ConsumerGroup found = groups.get(List.of(group, stream));
        if (found == null) {
            throw new PermanentException(
                    "consumer group " + group + " of stream " + stream + " is not registered, or was removed");
        }
        return found;
    }
}
