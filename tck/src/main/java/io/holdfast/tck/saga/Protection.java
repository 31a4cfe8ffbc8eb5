package io.holdfast.tck.saga;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaSuspension;
import io.holdfast.saga.tracking.TrackingProcessor;
import io.holdfast.token.TokenStore;
import io.holdfast.wire.Announcement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Which sagas must not time out at this moment: they have parked letters, or events that the tracker has not read. */
final class Protection {

    private static final List<String> READERS = List.of(ServiceBlueprint.PROCESSOR, TrackingProcessor.NAME);

    private final SimulatedTrade world;
    private final TradeLog log;
    private final List<Announcement> directory;
    private final Set<String> parked = new TreeSet<>();

    Protection(SimulatedTrade world, TradeLog log) {
        this.world = world;
        this.log = log;
        this.directory = world.wire.directory();
        List<String> ids = log.orders().stream().map(SagaWorld::saga).toList();
        world.services().stream()
                .filter(this::canAnswer)
                .forEach(service -> parked.addAll(service.store()
                        .deadLetterStore()
                        .findSagaLetters(ids, 1)
                        .keySet()));
    }

    private boolean canAnswer(SimulatedService service) {
        return service.name().equals(Trade.TRACKER)
                || (world.isConnected() && service.live().stream().anyMatch(this::isListed));
    }

    private boolean isListed(ServiceReplica replica) {
        return directory.stream().anyMatch(entry -> entry.replica().equals(replica.name()));
    }

    boolean covers(String order, SagaState saga) {
        SagaSuspension suspension =
                saga.deadline() == null ? null : saga.deadline().suspended();
        if (suspension != null && suspension.exceeds(world.settings.maxSuspended(), world.now())) {
            return hasUnread(order, saga);
        }
        return parked.contains(saga.sagaId()) || staysSuspended(saga) || hasUnread(order, saga);
    }

    /** Returns whether the saga has a letter of a service that is down, whose last answer stands. */
    boolean staysSuspended(SagaState saga) {
        SagaSuspension suspension =
                saga.deadline() == null ? null : saga.deadline().suspended();
        return suspension != null
                && !suspension.exceeds(world.settings.maxSuspended(), world.now())
                && suspension.letters().stream().anyMatch(this::isOfSilentService);
    }

    private boolean isOfSilentService(String letter) {
        return world.services().stream()
                .filter(service -> service.live().isEmpty())
                .anyMatch(service -> letter.startsWith(service.name() + "/"));
    }

    /** Returns whether an event of the saga existed when it became due, and some processor of the tracker has not read it. */
    private boolean hasUnread(String order, SagaState saga) {
        Instant due = Objects.requireNonNull(saga.nextDue(world.settings.retention()));
        return log.events(order).stream()
                .filter(event -> !event.stream().equals(Trade.ORDERS))
                .filter(event -> event.occurredAt().isBefore(due))
                .filter(event ->
                        directory.stream().anyMatch(entry -> entry.streams().contains(event.stream())))
                .anyMatch(this::isUnread);
    }

    private boolean isUnread(EventMessage event) {
        TokenStore tokens = world.service(Trade.TRACKER).store().tokenStore();
        return READERS.stream()
                .flatMap(reader -> tokens.findAll(reader).stream())
                .map(claimed -> claimed.token().positions())
                .anyMatch(positions -> !isReached(event, positions));
    }

    private static boolean isReached(EventMessage event, Map<String, StreamPosition> positions) {
        StreamPosition position = positions.get(event.stream());
        return position != null && position.position() >= event.position();
    }
}
