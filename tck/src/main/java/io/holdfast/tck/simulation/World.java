package io.holdfast.tck.simulation;

import io.holdfast.aggregate.Decision;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamHead;
import io.holdfast.event.StreamPosition;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.SimulatedCrash;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.harness.StoredSequences;
import io.holdfast.tck.simulation.Step.Side;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Token;
import io.holdfast.wire.source.LogStreamServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Two services of two replicas each, and a wire. A crashed replica is restarted with empty memory. */
final class World implements AutoCloseable {

    /** Many more than the slowest run needs. A world that is not idle by then is stuck. */
    static final int MAX_ROUNDS = 200;

    private static final int WIRE_CAPACITY = 20;

    final StoreHarness source;
    final StoreHarness sink;
    final InMemoryWire wire;
    final Mirror mirror;
    final StoreFaults storeFaults = new StoreFaults(this::workWithout);
    final AbandonedEvents abandoned = new AbandonedEvents();
    final Failovers failovers = new Failovers(this);
    final VersionInvariants versionInvariants = new VersionInvariants(this);
    final AddedHandlers addedHandlers = new AddedHandlers(this);
    /** Events that an operator has parked again although they were already handled. */
    final Set<PartId> reparked = new HashSet<>();

    /** Events whose discarded letter an operator has restored, or tried to restore. */
    final Set<PartId> restored = new HashSet<>();

    /** The number of actions that operators have staged, or tried to stage. */
    int actions;

    final ScriptedPolicy policy = new ScriptedPolicy(abandoned, this::generation, versionInvariants, reparked);

    final Operator operator;
    final ParkingInvariants parkingInvariants;
    final List<SentCommand> sentCommands = new ArrayList<>();
    final List<String> remarked = new ArrayList<>();
    private final PayloadCodec codec = new PayloadCodec();
    private final Map<Side, List<HostClock>> clocks;
    private final List<SourceReplica> sources = new ArrayList<>();
    private final List<SinkReplica> sinks = new ArrayList<>();
    private final List<SinkVersion> versions = new ArrayList<>();
    private final boolean checksEveryStep;
    private boolean isMixed;
    private Step.RollOut deployed = Step.RollOut.DEFAULT;
    private int started;

    /** @param checksEveryStep whether the invariants are checked after every step */
    World(StoreHarness source, StoreHarness sink, boolean checksEveryStep) {
        this.checksEveryStep = checksEveryStep;
        this.source = source;
        this.sink = sink;
        this.clocks = Map.of(Side.SOURCE, hostClocks(source), Side.SINK, hostClocks(sink));
        this.operator = new Operator(this);
        this.parkingInvariants = new ParkingInvariants(this);
        this.mirror = new Mirror(this::generation);
        this.wire = InMemoryWire.singleThreaded(WIRE_CAPACITY, source.clock(), source.crashPoints());
        this.wire.serve(
                SinkReplica.STREAMS,
                new LogStreamServer(source.store().eventLog(), source.store().consumerGroups()));
        for (int replica = 0; replica < Steps.REPLICAS; replica++) {
            sources.add(newSource(replica));
            versions.add(SinkVersion.FIRST);
            sinks.add(newSink(replica));
        }
        sinks.forEach(SinkReplica::register);
    }

    private static List<HostClock> hostClocks(StoreHarness harness) {
        return Stream.generate(() -> new HostClock(harness.clock()))
                .limit(Steps.REPLICAS)
                .toList();
    }

    /** Returns the clock of a replica's host, which keeps its time when the replica is restarted. */
    HostClock clock(Side side, int replica) {
        return Objects.requireNonNull(clocks.get(side)).get(replica);
    }

    private SourceReplica newSource(int replica) {
        return new SourceReplica(source, wire, clock(Side.SOURCE, replica));
    }

    private SinkReplica newSink(int replica) {
        SinkVersion version = versions.get(replica);
        return new SinkReplica(
                "sink-" + ++started,
                storeFaults.wrap(sink.store(), replica),
                wire,
                clock(Side.SINK, replica),
                mirror,
                version,
                deployed,
                policy.forReplica(version));
    }

    /**
     * Returns whether a check may be compared with the one before. Between two checks that are many steps apart, one
     * version may have tried what another one awaits.
     */
    boolean comparesChecks() {
        return checksEveryStep || !isMixed;
    }

    List<SinkReplica> sinks() {
        return sinks;
    }

    /**
     * Ends all faults, and lets the deployed versions handle or park every event: none may block another. From now on,
     * every round replays PENDING letters.
     */
    void settle() {
        endFaults();
        failovers.appendToEveryStream();
        passTime(Steps.BEYOND_LEASE);
        for (int round = 0; !hasReadAll(); round++) {
            if (round == MAX_ROUNDS) {
                throw new AssertionError("The deployed versions block each other: after " + MAX_ROUNDS
                        + " rounds without faults the sink has not handled or parked every event:" + describe());
            }
            runRound(round);
        }
        startOverChecks();
    }

    /** Compares the next check of parked letters with the present state. */
    void startOverChecks() {
        parkingInvariants.startOver(deployed);
    }

    private void endFaults() {
        source.crashPoints().clear();
        sink.crashPoints().clear();
        wire.reconnect();
        storeFaults.clear();
        mirror.heal();
        policy.heal();
        sink.store().tokenStore().setPaused(SinkReplica.PROCESSOR, false);
    }

    /** Ends all faults, deploys a version with all handlers, and lets it handle every event. */
    void heal() {
        endFaults();
        failovers.appendToEveryStream();
        deployEverywhere(addedHandlers.isAnyRegistered() ? SinkVersion.NEXT : SinkVersion.FIRST);
        passTime(Steps.BEYOND_LEASE);
    }

    private void deployEverywhere(SinkVersion version) {
        for (int replica = 0; replica < Steps.REPLICAS; replica++) {
            if (!versions.get(replica).equals(version)) {
                deploy(replica, version);
            }
        }
    }

    /**
     * Runs every replica once, advances time beyond all leases, and lets an operator request what is necessary at one
     * of the replicas.
     */
    void runRound(int number) {
        for (int replica = 0; replica < Steps.REPLICAS; replica++) {
            atSource(replica, SourceReplica::checkLog);
            atSource(replica, SourceReplica::commit);
            atSource(replica, SourceReplica::publish);
            atSink(replica, SinkReplica::checkLog);
            atSink(replica, SinkReplica::process);
            atSink(replica, SinkReplica::commit);
        }
        passTime(Steps.BEYOND_LEASE);
        SinkReplica replica = sinks.get(number % Steps.REPLICAS);
        replayAll(replica);
        operator.acceptRestores(replica);
    }

    /**
     * Replays all PENDING letters. Repeated every round, because an event that failed earlier may be parked only now.
     * Letters that await another version need no replay: the version is deployed.
     */
    private void replayAll(SinkReplica replica) {
        for (String component : SinkReplica.COMPONENTS) {
            QueueCounts counts = sink.store().deadLetterStore().counts(SinkReplica.id(component));
            if (counts.pending() > counts.awaitingPending() && !replica.isReplaying()) {
                replica.replay(Step.ReplayMode.ALL, component);
            }
        }
    }

    /** Lets every replica refresh its claims within a lease, so that its view of them is current. */
    void refreshClaims() {
        for (int step = 0; step < 4; step++) {
            if (step == 2) {
                passTime(Steps.MEDIUM);
            }
            for (SinkReplica replica : sinks) {
                replica.process();
                replica.commit();
            }
        }
    }

    /** Returns whether the sink has handled every event of the source and every request made to it. */
    boolean isIdle() {
        return hasReadAll()
                && sinks.stream().noneMatch(SinkReplica::isOperating)
                && sinks.stream().noneMatch(SinkReplica::isReplaying)
                && StoredSequences.findAll(sink.store().deadLetterStore(), SinkReplica.PROCESSOR)
                        .isEmpty()
                && sink.store().actionStore().findOpen(1).isEmpty();
    }

    /** Returns whether the sink has handled or parked every event of the source. */
    private boolean hasReadAll() {
        List<Token> segments = segments();
        return source.store().outboxStore().countUnpositioned() == 0
                && !segments.isEmpty()
                && segments.stream().allMatch(this::hasReachedAll);
    }

    List<Token> segments() {
        return sink.store().tokenStore().findAll(SinkReplica.PROCESSOR).stream()
                .map(ClaimedToken::token)
                .toList();
    }

    /** Returns the stored generation of the processor. */
    int generation() {
        return segments().stream()
                .findFirst()
                .map(token -> token.setup().generation())
                .orElse(1);
    }

    List<EventMessage> sourceEvents() {
        return source.store().eventLog().readAll(0, Integer.MAX_VALUE);
    }

    List<EventMessage> sinkEvents() {
        return sink.store().eventLog().readAll(0, Integer.MAX_VALUE);
    }

    private boolean hasReachedAll(Token token) {
        return SinkReplica.STREAMS.stream().allMatch(stream -> {
            StreamPosition position = token.positions().get(stream);
            StreamHead head = source.store().eventLog().head(stream);
            return position != null
                    && reached(stream, position) == head.position()
                    && (position.id() == null || position.id().equals(head.id()));
        });
    }

    /**
     * Returns the position that a segment has reached. If a failover has lost an epoch, a segment may resume above the head
     * of a stream (a limit in decision 32), which is then reached.
     */
    long reached(String stream, StreamPosition position) {
        long head = source.store().eventLog().head(stream).position();
        return failovers.hasLostEpoch() ? Math.min(position.position(), head) : position.position();
    }

    /** Describes the replicas, tokens and parked sequences, to diagnose a stuck world. */
    String describe() {
        StringBuilder text = new StringBuilder();
        sinks.forEach(replica -> text.append("\n  ")
                .append(replica.owner())
                .append(" of version ")
                .append(replica.version())
                .append(" works on ")
                .append(replica.claimed())
                .append(", problems ")
                .append(replica.problems())
                .append(", stopped streams ")
                .append(replica.stoppedStreams()));
        sink.store().tokenStore().findAll(SinkReplica.PROCESSOR).forEach(claimedToken -> text.append("\n  ")
                .append(claimedToken));
        StoredSequences.findAll(sink.store().deadLetterStore(), SinkReplica.PROCESSOR)
                .forEach(sequence -> text.append("\n  ").append(sequence));
        return text.toString();
    }

    void send(Step.SendCommand command) {
        sentCommands.add(new SentCommand(command, sources.get(command.replica()).send(command, decision(command))));
    }

    void remark(Step.Remark remark) {
        try {
            source.inTransaction(() -> {
                source.store()
                        .outboxStore()
                        .write(
                                Mirror.REMARKS,
                                remark.about(),
                                new NewEvent(codec.encode(new Noted(remark.text())), Metadata.none()));
                if (!remark.commits()) {
                    throw new RolledBack();
                }
            });
            remarked.add(remark.text());
        } catch (RolledBack | SimulatedCrash e) {
            // The caller got no confirmation; a crash may have happened after the commit.
        }
    }

    void atSource(int replica, Consumer<SourceReplica> work) {
        try {
            work.accept(sources.get(replica));
        } catch (SimulatedCrash e) {
            restart(Side.SOURCE, replica);
        } finally {
            failovers.observe();
        }
    }

    void atSink(int replica, Consumer<SinkReplica> work) {
        failovers.observeReaders();
        try {
            work.accept(sinks.get(replica));
        } catch (SimulatedCrash e) {
            restart(Side.SINK, replica);
        } finally {
            failovers.observeProgress();
            addedHandlers.observe();
        }
    }

    /** A replica waits until its leases have expired, and the other one claims its segments. */
    private void workWithout(int waiting) {
        passTime(Steps.BEYOND_LEASE);
        int other = Steps.REPLICAS - 1 - waiting;
        for (int step = 0; step < 2; step++) {
            atSink(other, SinkReplica::process);
            checkBetweenSteps();
            atSink(other, SinkReplica::commit);
            checkBetweenSteps();
        }
    }

    private void checkBetweenSteps() {
        if (checksEveryStep) {
            parkingInvariants.check();
        }
    }

    /** Replaces a replica by another version, which may lack handlers. */
    void replace(Step.Replace step) {
        if (step.gracefully()) {
            atSink(step.replica(), SinkReplica::release);
        }
        deploy(step.replica(), step.version());
    }

    private void deploy(int replica, SinkVersion version) {
        isMixed = true;
        versions.set(replica, version);
        restart(Side.SINK, replica);
    }

    /** Restarts both replicas with other settings. */
    void rollOut(Step.RollOut newSettings) {
        deployed = newSettings;
        parkingInvariants.rollOut(newSettings);
        for (int replica = 0; replica < Steps.REPLICAS; replica++) {
            restart(Side.SINK, replica);
        }
    }

    void restart(Side side, int replica) {
        if (side == Side.SOURCE) {
            sources.set(replica, newSource(replica));
        } else {
            failovers.readerRestarted();
            sinks.set(replica, newSink(replica));
        }
    }

    void passTime(Duration time) {
        source.passTime(time);
        sink.passTime(time);
    }

    CrashPoints crashPoints(Side side) {
        return store(side).crashPoints();
    }

    StoreHarness store(Side side) {
        return side == Side.SOURCE ? source : sink;
    }

    private static Decision decision(Step.SendCommand command) {
        return switch (command.kind()) {
            case DEPOSIT -> Accounts.deposit(command.from(), command.amount());
            case WITHDRAW -> Accounts.withdraw(command.from(), command.amount());
            case TRANSFER -> Accounts.transfer(command.from(), command.to(), command.amount());
            case BROKEN ->
                context -> {
                    Accounts.deposit(command.from(), command.amount()).decide(context);
                    throw new IllegalStateException("scripted failure of a decision");
                };
        };
    }

    @Override
    public void close() {
        source.close();
        sink.close();
    }

    /** A command and its result. */
    record SentCommand(Step.SendCommand command, CompletableFuture<CommandResult> result) {

        boolean hasSucceeded() {
            return result.isDone() && !result.isCompletedExceptionally();
        }
    }

    /** Rolls back a user transaction. */
    private static final class RolledBack extends RuntimeException {}
}
