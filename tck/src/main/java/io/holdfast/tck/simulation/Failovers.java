package io.holdfast.tck.simulation;

import static java.util.Objects.requireNonNull;

import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.processing.status.AcceptedRestore;
import io.holdfast.tck.simulation.Step.Side;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Databases that fail over to a standby without the newest commits, under running replicas. Records what the source has
 * lost: the effects of these events at the sink stay, and a client may send the same command again.
 */
final class Failovers {

    private final World world;
    private final Map<Side, Standby> standbys = new EnumMap<>(Side.class);
    private final Map<UUID, LostEvent> lost = new HashMap<>();
    private final Set<UUID> handledAgain = new HashSet<>();
    private final Set<UUID> ambiguous = new HashSet<>();
    private final Set<UUID> unnoticed = new HashSet<>();
    /** Events at which an operator has accepted a restore through a replica that had not read them itself. */
    private final Set<UUID> acceptedUnread = new HashSet<>();
    /** The replicas that have moved a segment to an event. */
    private final Map<UUID, Set<String>> readersOf = new HashMap<>();

    private final Map<UUID, Set<Segment>> segmentsAt = new HashMap<>();
    /** Where the segments of the sink were before its present step. */
    private List<Token> readers = List.of();

    private boolean hasLostEpoch;
    private int readerRestarts;

    Failovers(World world) {
        this.world = world;
    }

    /**
     * A copy of a database that gets no further commits.
     *
     * @param position the position of its newest event
     * @param remarks the number of remarks whose transactions had returned
     */
    private record Standby(Runnable promote, long position, int remarks) {}

    /**
     * @param event as it was before it was lost the last time
     * @param commonPositions by each position that it had when it was lost: the position up to which the log has been
     *     unchanged ever since the event was committed there
     * @param epochs the number of epochs that the log had just after the first loss
     * @param readerRestarts how often readers had been restarted by then
     */
    private record LostEvent(EventMessage event, Map<Long, Long> commonPositions, int epochs, int readerRestarts) {

        LostEvent withCommonPosition(long position) {
            Map<Long, Long> lower = new HashMap<>(commonPositions);
            lower.replaceAll((lostAt, common) -> Math.min(common, position));
            return new LostEvent(event, lower, epochs, readerRestarts);
        }

        LostEvent lostAgain(EventMessage again, long commonPosition) {
            Map<Long, Long> all = new HashMap<>(commonPositions);
            all.merge(again.position(), commonPosition, Math::min);
            return new LostEvent(again, all, epochs, readerRestarts);
        }

        Set<Long> positions() {
            return commonPositions.keySet();
        }

        long commonPosition() {
            return Collections.min(commonPositions.values());
        }

        /** Returns what a reader has in common with the log that has read the event at this position. */
        long commonPosition(long readAt) {
            return commonPositions.getOrDefault(readAt, commonPosition());
        }
    }

    /** The standby of a service's database gets no further commits. */
    void detachStandby(Side side) {
        standbys.computeIfAbsent(
                side,
                unknown -> new Standby(
                        world.store(side).backUp(),
                        world.store(side).store().eventLog().position(),
                        world.remarked.size()));
    }

    /** The standby takes over. Does nothing if it has all commits. */
    void failOver(Side side) {
        Standby standby = standbys.remove(side);
        if (standby == null) {
            return;
        }
        if (side == Side.SOURCE) {
            failOverSource(standby);
        } else {
            standby.promote().run();
            world.addedHandlers.forgetUndefined();
            world.startOverChecks();
        }
        world.abandoned.forgetCertainty();
    }

    private void failOverSource(Standby standby) {
        List<EventMessage> before = world.sourceEvents();
        int epochs = epochs();
        lost.forEach((id, event) -> {
            if (event.epochs() == epochs) {
                unnoticed.add(id);
            }
        });
        standby.promote().run();
        hasLostEpoch |= epochs() < epochs;
        lost.replaceAll((id, event) -> event.withCommonPosition(standby.position()));
        for (EventMessage event : before) {
            if (event.position() > standby.position()) {
                LostEvent known =
                        lost.getOrDefault(event.id(), new LostEvent(event, Map.of(), epochs(), readerRestarts));
                lost.put(event.id(), known.lostAgain(event, standby.position()));
            }
        }
        world.sentCommands.removeIf(sent -> sent.hasSucceeded()
                && sent.result().join().events().stream().anyMatch(event -> event.position() > standby.position()));
        world.remarked.subList(standby.remarks(), world.remarked.size()).clear();
    }

    /** Returns whether a failover has lost the epoch that began with an earlier one. */
    boolean hasLostEpoch() {
        return hasLostEpoch;
    }

    private int epochs() {
        return world.source.store().eventLog().epochs().size();
    }

    /** A reader was restarted, and no longer knows which events precede its position. */
    void readerRestarted() {
        readerRestarts++;
    }

    /** A segment that is ahead of the others detects a loss only when the next event is read. */
    void appendToEveryStream() {
        if (!lost.isEmpty()) {
            String account = Steps.ACCOUNTS.get(0);
            world.send(new Step.SendCommand(0, Step.CommandKind.DEPOSIT, account, account, 1, 0));
            world.remark(new Step.Remark(account, "a remark after a failover", true));
        }
    }

    /** Returns the event as it was before the source lost it. */
    Optional<EventMessage> findLost(UUID event) {
        return Optional.ofNullable(lost.get(event)).map(LostEvent::event);
    }

    /**
     * Call it after every step of the source. Records the events for which decision 32 lists limits: those that were
     * appended after a loss, if a lost event has a former position again, because a client has repeated a command or the
     * publisher has assigned one again, if the epoch that began with the loss is lost too, or if the next loss happened
     * before an epoch began, and a reader was restarted or the restore was accepted through another one.
     */
    void observe() {
        if (lost.isEmpty()) {
            return;
        }
        List<EventMessage> events = world.sourceEvents();
        for (EventMessage event : events) {
            LostEvent before = lost.get(event.id());
            if (before != null && before.positions().contains(event.position())) {
                addAmbiguous(events, before);
            }
        }
        lost.forEach((id, event) -> {
            boolean isUnknown = event.readerRestarts() < readerRestarts || !acceptedUnread.isEmpty();
            boolean isHidden = unnoticed.contains(id) && isUnknown;
            if (hasLostEpoch || isHidden) {
                addAmbiguous(events, event);
            }
        });
    }

    private void addAmbiguous(List<EventMessage> events, LostEvent lostEvent) {
        events.stream()
                .filter(event -> event.position() > lostEvent.commonPosition())
                .forEach(event -> ambiguous.add(event.id()));
    }

    /** Returns whether readers may skip the event, because they cannot tell that it was appended after a loss. */
    boolean maySkip(UUID event) {
        return ambiguous.contains(event);
    }

    /** Returns whether the source has lost the event, even if it has appended it again since. */
    boolean isLost(UUID event) {
        return lost.containsKey(event);
    }

    /**
     * Returns whether components may handle the event more than once, or late: the source has lost it and appended it
     * again, no replica knew the exact position of the loss, or readers cannot tell that it was appended after the loss.
     */
    boolean mayBeHandledAgain(UUID event) {
        return isLost(event) || handledAgain.contains(event) || ambiguous.contains(event);
    }

    /** Returns the position that a reader has reached in what the source contains now. */
    long effectivePosition(StreamPosition reader) {
        LostEvent event = reader.id() == null ? null : lost.get(reader.id());
        boolean isAppendedAgain = world.sourceEvents().stream()
                .anyMatch(found -> found.id().equals(reader.id()) && found.position() == reader.position());
        return event == null || isAppendedAgain
                ? reader.position()
                : Math.min(reader.position(), event.commonPosition(reader.position()));
    }

    /** Returns the highest position up to which the source has never lost an event of these readers. */
    long commonPosition(Collection<StreamPosition> readers) {
        return readers.stream()
                .filter(reader -> reader.id() != null && lost.containsKey(reader.id()))
                .mapToLong(reader -> requireNonNull(lost.get(reader.id())).commonPosition(reader.position()))
                .min()
                .orElse(0);
    }

    /** Call it after every step of the sink, before another replica can claim a segment. */
    void observeProgress() {
        for (ClaimedToken claimed : world.sink.store().tokenStore().findAll(SinkReplica.PROCESSOR)) {
            for (StreamPosition position : claimed.token().positions().values()) {
                if (position.id() != null && claimed.owner() != null) {
                    Segment segment = claimed.token().segment();
                    boolean isNew = segmentsAt
                            .computeIfAbsent(position.id(), event -> new HashSet<>())
                            .add(segment);
                    if (isNew) {
                        readersOf
                                .computeIfAbsent(position.id(), event -> new HashSet<>())
                                .add(claimed.owner());
                    }
                }
            }
        }
    }

    /** Call it before every step of the sink. Records the positions from which it may accept a restore. */
    void observeReaders() {
        if (!lost.isEmpty()) {
            readers = world.segments();
        }
    }

    /**
     * Records that readers resume at a position which may be below what the source has kept of what they have read. If
     * they have read different histories, that differs too.
     */
    void accepted(AcceptedRestore restore, String replica) {
        readers.stream()
                .flatMap(token -> Stream.ofNullable(token.positions().get(restore.stream())))
                .filter(reader -> reader.id() != null && lost.containsKey(reader.id()))
                .filter(reader -> !readersOf.getOrDefault(reader.id(), Set.of()).contains(replica))
                .forEach(reader -> acceptedUnread.add(reader.id()));
        long resume = restore.resumePosition().position();
        long kept = readers.stream()
                .flatMap(token -> Stream.ofNullable(token.positions().get(restore.stream())))
                .mapToLong(reader -> commonPosition(Set.of(reader)))
                .max()
                .orElse(0);
        handledAgain.addAll(world.sourceEvents().stream()
                .filter(event -> event.stream().equals(restore.stream()))
                .filter(event -> event.position() > resume && event.position() <= kept)
                .map(EventMessage::id)
                .collect(Collectors.toSet()));
    }
}
