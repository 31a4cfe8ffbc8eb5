package io.holdfast.tck.saga;

import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.handling.Component;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.CrashPoints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One service of a simulated trade: its store, and its replicas, which may be down or of an older version. */
final class SimulatedService {

    private final String name;
    private final List<Store> stores;
    private final CrashPoints crashPoints;
    private final BiFunction<SimulatedService, Store, ServiceReplica> starter;
    private final List<@Nullable ServiceReplica> replicas = new ArrayList<>();
    private final List<TradeVersion> versions = new ArrayList<>();
    private final List<BulkReplay> replays = new ArrayList<>();
    private TradeVersion starting = TradeVersion.CURRENT;

    /**
     * @param stores the store, as each replica sees it
     * @param starter starts a replica of the version that {@link #starting} returns
     */
    SimulatedService(
            String name,
            List<Store> stores,
            CrashPoints crashPoints,
            BiFunction<SimulatedService, Store, ServiceReplica> starter) {
        this.name = name;
        this.stores = stores;
        this.crashPoints = crashPoints;
        this.starter = starter;
        replicas.addAll(Collections.nCopies(stores.size(), null));
        versions.addAll(Collections.nCopies(stores.size(), TradeVersion.CURRENT));
    }

    String name() {
        return name;
    }

    /** Returns the version of the replica that is being started. */
    TradeVersion starting() {
        return starting;
    }

    Store store() {
        return stores.get(0);
    }

    CrashPoints crashPoints() {
        return crashPoints;
    }

    Optional<ServiceReplica> replica(int slot) {
        return Optional.ofNullable(replicas.get(slot));
    }

    List<ServiceReplica> live() {
        return replicas.stream().filter(Objects::nonNull).toList();
    }

    /** Starts a replica, or restarts it without a graceful shutdown. */
    void start(int slot, TradeVersion version) {
        stop(slot);
        versions.set(slot, version);
        starting = version;
        replicas.set(slot, starter.apply(this, stores.get(slot)));
    }

    void restart(int slot) {
        start(slot, versions.get(slot));
    }

    /** Starts all replicas that are down. */
    void startAll() {
        for (int slot = 0; slot < replicas.size(); slot++) {
            if (replicas.get(slot) == null) {
                restart(slot);
            }
        }
    }

    /** Starts all replicas of the current version that are not running. */
    void upgradeAll() {
        for (int slot = 0; slot < replicas.size(); slot++) {
            if (replicas.get(slot) == null || !versions.get(slot).equals(TradeVersion.CURRENT)) {
                start(slot, TradeVersion.CURRENT);
            }
        }
        replays.clear();
    }

    /** Kills a replica. */
    void stop(int slot) {
        replica(slot).ifPresent(ServiceReplica::disconnect);
        replicas.set(slot, null);
    }

    void stopAll() {
        for (int slot = 0; slot < replicas.size(); slot++) {
            stop(slot);
        }
    }

    /** Requests a replay of all sequences, unless one is running. */
    void replayAll(ServiceReplica replica) {
        replays.removeIf(replay -> replay.result().isDone());
        if (replays.isEmpty()) {
            components(replica)
                    .forEach(component -> replays.add(replica.processor()
                            .deadLetterProcessor(component)
                            .processAll(BulkReplaySettings.UNLIMITED)));
        }
    }

    private static List<String> components(ServiceReplica replica) {
        return replica.processor().components().stream().map(Component::name).toList();
    }

    /** Returns the parked letters that this replica knows, by component, oldest sequence first. */
    List<Parked> letters(ServiceReplica replica) {
        return components(replica).stream()
                .flatMap(component -> sequences(replica, component)
                        .flatMap(sequence ->
                                store().deadLetterStore().findLetters(sequence.id(), 0, Integer.MAX_VALUE).stream())
                        .map(letter -> new Parked(component, letter)))
                .toList();
    }

    private Stream<ParkedSequence> sequences(ServiceReplica replica, String component) {
        String id = replica.processor().deadLetterQueue(component).component();
        return store().deadLetterStore().findByAge(id, null, Integer.MAX_VALUE).stream();
    }

    /** A parked letter, and the name of its component. */
    record Parked(String component, DeadLetter letter) {}
}
