package io.holdfast.tck.simulation;

import io.holdfast.aggregate.Decision;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.tck.Accounts;
import io.holdfast.tck.CrashPoints;
import io.holdfast.tck.Noted;
import io.holdfast.tck.SimulatedCrash;
import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.simulation.Step.Side;
import io.holdfast.wire.LogStreamServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Two services of two replicas each, and a wire. Whoever crashes is restarted, with nothing in memory. */
final class World implements AutoCloseable {

    private static final int WIRE_CAPACITY = 20;

    final StoreHarness source;
    final StoreHarness sink;
    final InMemoryWire wire;
    final Mirror mirror = new Mirror();
    final List<Asked> asked = new ArrayList<>();
    final List<String> remarked = new ArrayList<>();
    private final PayloadCodec codec = new PayloadCodec();
    private final List<SourceReplica> sources;
    private final List<SinkReplica> sinks;

    World(StoreHarness source, StoreHarness sink) {
        this.source = source;
        this.sink = sink;
        this.wire = new InMemoryWire(WIRE_CAPACITY, source.clock(), source.crashPoints());
        this.wire.serve(
                List.of(Accounts.STREAM, Mirror.REMARKS),
                new LogStreamServer(source.store().eventLog(), source.store().consumerGroups()));
        this.sources = new ArrayList<>(IntStream.range(0, Steps.REPLICAS)
                .mapToObj(replica -> new SourceReplica(source, wire))
                .toList());
        this.sinks = new ArrayList<>(IntStream.range(0, Steps.REPLICAS)
                .mapToObj(replica -> new SinkReplica(sink, wire, mirror))
                .toList());
    }

    void apply(Step step) {
        if (step instanceof Step.Ask ask) {
            asked.add(new Asked(ask, sources.get(ask.replica()).ask(ask, decision(ask))));
        } else if (step instanceof Step.Remark remark) {
            remark(remark);
        } else if (step instanceof Step.Commit commit) {
            dying(commit.side(), commit.replica(), () -> commit(commit.side(), commit.replica()));
        } else if (step instanceof Step.Publish publish) {
            dying(Side.SOURCE, publish.replica(), sources.get(publish.replica())::publish);
        } else if (step instanceof Step.Handle handle) {
            dying(Side.SINK, handle.replica(), sinks.get(handle.replica())::process);
        } else if (step instanceof Step.CrashAt crash) {
            crashPoints(crash.side()).crashAt(crash.moment());
        } else if (step instanceof Step.Kill kill) {
            restart(kill.side(), kill.replica());
        } else if (step instanceof Step.ForgetWire) {
            wire.restart();
        } else if (step instanceof Step.LoseTail lose) {
            wire.loseTail(Accounts.STREAM, lose.records());
            wire.loseTail(Mirror.REMARKS, lose.records());
        } else if (step instanceof Step.Connect connect) {
            connect(connect.up());
        } else if (step instanceof Step.FailHandlers fail) {
            mirror.failNext(fail.times());
        } else if (step instanceof Step.Pass pass) {
            source.passTime(pass.time());
            sink.passTime(pass.time());
        }
    }

    /** From here on nothing goes wrong any more. */
    void heal() {
        source.crashPoints().clear();
        sink.crashPoints().clear();
        wire.reconnect();
        mirror.failNext(0);
    }

    /** Every replica does everything once, and a long time passes. */
    void round() {
        for (int replica = 0; replica < Steps.REPLICAS; replica++) {
            apply(new Step.Commit(Side.SOURCE, replica));
            apply(new Step.Publish(replica));
            apply(new Step.Handle(replica));
            apply(new Step.Commit(Side.SINK, replica));
        }
        apply(new Step.Pass(Steps.LONG));
    }

    /** Whether the sink has dealt with everything that the source has. */
    boolean isQuiet() {
        return source.store().outboxStore().unplaced() == 0
                && SinkReplica.hasReached(sink, source.store().eventLog());
    }

    private void remark(Step.Remark remark) {
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

    private void commit(Side side, int replica) {
        if (side == Side.SOURCE) {
            sources.get(replica).commit();
        } else {
            sinks.get(replica).commit();
        }
    }

    private void dying(Side side, int replica, Runnable work) {
        try {
            work.run();
        } catch (SimulatedCrash e) {
            restart(side, replica);
        }
    }

    private void restart(Side side, int replica) {
        if (side == Side.SOURCE) {
            sources.set(replica, new SourceReplica(source, wire));
        } else {
            sinks.set(replica, new SinkReplica(sink, wire, mirror));
        }
    }

    private void connect(boolean up) {
        if (up) {
            wire.reconnect();
        } else {
            wire.disconnect();
        }
    }

    private CrashPoints crashPoints(Side side) {
        return side == Side.SOURCE ? source.crashPoints() : sink.crashPoints();
    }

    private static Decision decision(Step.Ask ask) {
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
    record Asked(Step.Ask ask, CompletableFuture<CommandResult> answer) {}

    /** A user's transaction does not commit. */
    private static final class RolledBack extends RuntimeException {}
}
