package io.holdfast.tck.simulation;

import io.holdfast.aggregate.Decision;
import io.holdfast.commit.PartId;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamPosition;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.tck.Accounts;
import io.holdfast.tck.CrashPoints;
import io.holdfast.tck.Noted;
import io.holdfast.tck.SimulatedCrash;
import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.simulation.Step.Side;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Token;
import io.holdfast.wire.LogStreamServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Two services of two replicas each, and a wire. Whoever crashes is restarted, with nothing in memory. */
final class World implements AutoCloseable {

    private static final int WIRE_CAPACITY = 20;

    final StoreHarness source;
    final StoreHarness sink;
    final InMemoryWire wire;
    final Mirror mirror;
    final StoreFaults storeFaults = new StoreFaults();
    final AbandonedEvents abandoned = new AbandonedEvents();
    final ScriptedPolicy policy = new ScriptedPolicy(abandoned, this::generation);
    /** What somebody has parked again, although it was dealt with. */
    final Set<PartId> reparked = new HashSet<>();

    final Operator operator;
    final ParkingInvariants parkingInvariants;
    final List<SentCommand> sentCommands = new ArrayList<>();
    final List<String> remarked = new ArrayList<>();
    private final PayloadCodec codec = new PayloadCodec();
    private final List<SourceReplica> sources = new ArrayList<>();
    private final List<SinkReplica> sinks = new ArrayList<>();
    private Step.RollOut deployed = Step.RollOut.DEFAULT;
    private int started;

    World(StoreHarness source, StoreHarness sink) {
        this.source = source;
        this.sink = sink;
        this.operator = new Operator(this);
        this.parkingInvariants = new ParkingInvariants(this);
        this.mirror = new Mirror(this::generation);
        this.wire = new InMemoryWire(WIRE_CAPACITY, source.clock(), source.crashPoints());
        this.wire.serve(
                SinkReplica.STREAMS,
                new LogStreamServer(source.store().eventLog(), source.store().consumerGroups()));
        for (int replica = 0; replica < Steps.REPLICAS; replica++) {
            sources.add(newSource());
            sinks.add(newSink());
        }
    }

    private SourceReplica newSource() {
        return new SourceReplica(source, wire);
    }

    private SinkReplica newSink() {
        return new SinkReplica("sink-" + ++started, sink, storeFaults, wire, mirror, deployed, policy.forReplica());
    }

    List<SinkReplica> sinks() {
        return sinks;
    }

    /** From here on nothing goes wrong any more, and somebody looks after what waits for a person. */
    void heal() {
        source.crashPoints().clear();
        sink.crashPoints().clear();
        wire.reconnect();
        storeFaults.clear();
        mirror.heal();
        policy.heal();
        sink.store().tokenStore().setPaused(SinkReplica.PROCESSOR, false);
        passTime(Steps.BEYOND_LEASE);
    }

    /** Every replica does everything once, a long time passes, and somebody asks one of them to process what is parked. */
    void runRound(int number) {
        for (int replica = 0; replica < Steps.REPLICAS; replica++) {
            atSource(replica, SourceReplica::commit);
            atSource(replica, SourceReplica::publish);
            atSink(replica, SinkReplica::process);
            atSink(replica, SinkReplica::commit);
        }
        passTime(Steps.BEYOND_LEASE);
        replayAll(sinks.get(number % Steps.REPLICAS));
    }

    /** What had failed when things went wrong may be parked only now, so this is done again and again. */
    private void replayAll(SinkReplica replica) {
        for (String component : SinkReplica.COMPONENTS) {
            QueueCounts counts = sink.store().deadLetterStore().counts(SinkReplica.id(component));
            if (counts.pending() > 0 && !replica.isReplaying()) {
                replica.replay(Step.ReplayMode.ALL, component);
            }
        }
    }

    /** Everybody looks at the segments again, within a lease: what they believe then is true. */
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

    /** Whether the sink has dealt with everything that the source has, and with what was asked of itself. */
    boolean isIdle() {
        List<Token> segments = segments();
        return source.store().outboxStore().countUnpositioned() == 0
                && sinks.stream().noneMatch(SinkReplica::isOperating)
                && sinks.stream().noneMatch(SinkReplica::isReplaying)
                && !segments.isEmpty()
                && segments.stream().allMatch(this::hasReachedAll)
                && sink.store()
                        .deadLetterStore()
                        .findSequences(SinkReplica.PROCESSOR, 0, 0)
                        .isEmpty();
    }

    List<Token> segments() {
        return sink.store().tokenStore().findAll(SinkReplica.PROCESSOR).stream()
                .map(ClaimedToken::token)
                .toList();
    }

    /** Of the processor, as it is stored. */
    int generation() {
        return segments().get(0).setup().generation();
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
            return position != null
                    && position.position()
                            == source.store().eventLog().head(stream).position();
        });
    }

    /** What there is to see for who wonders why it is not quiet. */
    String describe() {
        StringBuilder text = new StringBuilder();
        sinks.forEach(replica -> text.append("\n  ")
                .append(replica.owner())
                .append(" works on ")
                .append(replica.claimed())
                .append(", problems ")
                .append(replica.problems()));
        sink.store().tokenStore().findAll(SinkReplica.PROCESSOR).forEach(held -> text.append("\n  ")
                .append(held));
        sink.store()
                .deadLetterStore()
                .findSequences(SinkReplica.PROCESSOR, 0, 0)
                .forEach(sequence -> text.append("\n  ").append(sequence));
        return text.toString();
    }

    void send(Step.SendCommand ask) {
        sentCommands.add(new SentCommand(ask, sources.get(ask.replica()).send(ask, decision(ask))));
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
            // Nobody was told that it is there; a crash may have come after the commit.
        }
    }

    void atSource(int replica, Consumer<SourceReplica> work) {
        try {
            work.accept(sources.get(replica));
        } catch (SimulatedCrash e) {
            restart(Side.SOURCE, replica);
        }
    }

    void atSink(int replica, Consumer<SinkReplica> work) {
        try {
            work.accept(sinks.get(replica));
        } catch (SimulatedCrash e) {
            restart(Side.SINK, replica);
        }
    }

    /** Both replicas are another version from now on. */
    void rollOut(Step.RollOut newVersion) {
        deployed = newVersion;
        parkingInvariants.rollOut(newVersion);
        for (int replica = 0; replica < Steps.REPLICAS; replica++) {
            restart(Side.SINK, replica);
        }
    }

    void restart(Side side, int replica) {
        if (side == Side.SOURCE) {
            sources.set(replica, newSource());
        } else {
            sinks.set(replica, newSink());
        }
    }

    void passTime(Duration time) {
        source.passTime(time);
        sink.passTime(time);
    }

    CrashPoints crashPoints(Side side) {
        return side == Side.SOURCE ? source.crashPoints() : sink.crashPoints();
    }

    private static Decision decision(Step.SendCommand ask) {
        return switch (ask.kind()) {
            case DEPOSIT -> Accounts.deposit(ask.from(), ask.amount());
            case WITHDRAW -> Accounts.withdraw(ask.from(), ask.amount());
            case TRANSFER -> Accounts.transfer(ask.from(), ask.to(), ask.amount());
            case BROKEN ->
                context -> {
                    Accounts.deposit(ask.from(), ask.amount()).decide(context);
                    throw new IllegalStateException("a decision fails, as told");
                };
        };
    }

    @Override
    public void close() {
        source.close();
        sink.close();
    }

    /** A command and what its sender was told. */
    record SentCommand(Step.SendCommand command, CompletableFuture<CommandResult> result) {}

    /** A user's transaction does not commit. */
    private static final class RolledBack extends RuntimeException {}
}
