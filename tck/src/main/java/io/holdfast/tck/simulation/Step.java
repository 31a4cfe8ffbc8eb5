package io.holdfast.tck.simulation;

import io.holdfast.deadletter.EnqueuePolicy;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.QueueSettings;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.tck.harness.CrashPoints;
import java.time.Duration;

/** One step of a simulated world. */
interface Step {

    void applyTo(World world);

    /** A step in which something fails. */
    interface Fault extends Step {}

    /** The producing and the consuming service. */
    enum Side {
        SOURCE,
        SINK
    }

    /** The kind of a command. */
    enum CommandKind {
        DEPOSIT,
        WITHDRAW,
        TRANSFER,
        BROKEN
    }

    /** An operation on a processor. */
    enum Operation {
        SPLIT,
        MERGE,
        RELEASE,
        /** Resets to the beginning. Staged as an action, so that either replica runs it, also if one dies. */
        RESET
    }

    /** Selects the parked sequences to replay. */
    enum ReplayMode {
        ANY,
        /** One sequence whose first event has an odd version. */
        ODD,
        ALL,
        ALL_ODD,
        CANARY_FIRST,
        /** One sequence per second. */
        SLOWLY
    }

    /** An operation on a parked letter, at any replica. */
    enum LetterOperation {
        /** Stages a replay of the letter, which the owner of its segment runs. */
        REPLAY,
        /** Stages a discard of the letter, which the owner of its segment runs. */
        DISCARD,
        /** Stages a replay of several letters of the component, also of different sequences. */
        REPLAY_SEVERAL,
        DISCARD_SEVERAL,
        /** Stages a restore of a letter that was to be discarded or evicted. */
        RESTORE,
        /** Stages a replay of a letter that was evicted just before. */
        REPLAY_TOO_LATE,
        EVICT,
        REQUEUE,
        /** Parks an event that was already handled behind the letter. */
        ENQUEUE_AGAIN
    }

    /**
     * A client sends a command to a replica of the source.
     *
     * @param idempotencyKey 0 for a command that is sent once; otherwise the same command may be sent again
     */
    record SendCommand(int replica, CommandKind kind, String from, String to, long amount, int idempotencyKey)
            implements Step {
        @Override
        public void applyTo(World world) {
            world.send(this);
        }
    }

    /** A transaction of the source writes an outbox entry, and commits or rolls back. */
    record Remark(String about, String text, boolean commits) implements Step {
        @Override
        public void applyTo(World world) {
            world.remark(this);
        }
    }

    /** The committer of a replica commits the waiting units. */
    record Commit(Side side, int replica) implements Step {
        @Override
        public void applyTo(World world) {
            if (side == Side.SOURCE) {
                world.atSource(replica, SourceReplica::commit);
            } else {
                world.atSink(replica, SinkReplica::commit);
            }
        }
    }

    /** A replica of the source publishes a batch. */
    record Publish(int replica) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSource(replica, SourceReplica::publish);
        }
    }

    /** A replica of the sink reads and handles a batch, or processes the committer's result. */
    record Handle(int replica) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, SinkReplica::process);
        }
    }

    /** A pending asynchronous handler completes. */
    record CompleteAsync(int which, boolean fails) implements Step {
        @Override
        public void applyTo(World world) {
            world.mirror.completeOne(which, fails);
        }
    }

    /** An operator requests an operation at a replica of the sink; its later steps carry it out. */
    record Operate(int replica, Operation operation, int segment) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, sink -> {
                if (operation == Operation.RESET) {
                    world.operator.reset(sink);
                } else {
                    sink.operate(operation, segment);
                }
            });
        }
    }

    /** An operator pauses or resumes the processor through a replica. */
    record Pause(int replica, boolean paused) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, sink -> sink.pause(paused));
        }
    }

    /** An operator requests a replay of a component at a replica of the sink; its later steps carry it out. */
    record Replay(int replica, ReplayMode mode, String component) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, sink -> sink.replay(mode, component));
        }
    }

    /** An operator stops the bulk replays of a replica. */
    record StopReplays(int replica) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, SinkReplica::stopReplays);
        }
    }

    /**
     * An operator changes a parked letter through a replica of the sink, which may not own its segment.
     *
     * @param which the index among all letters of the component
     */
    record ChangeLetter(int replica, LetterOperation operation, String component, int which) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, sink -> {
                switch (operation) {
                    case REPLAY -> world.operator.replay(sink, component, which);
                    case DISCARD -> world.operator.discard(sink, component, which);
                    case REPLAY_SEVERAL -> world.operator.replaySeveral(sink, component, which);
                    case DISCARD_SEVERAL -> world.operator.discardSeveral(sink, component, which);
                    case RESTORE -> world.operator.restore(sink, which);
                    case REPLAY_TOO_LATE -> world.operator.replayTooLate(sink, component, which);
                    case EVICT -> world.operator.evict(sink, component, which);
                    case REQUEUE -> world.operator.requeue(sink, component, which);
                    case ENQUEUE_AGAIN -> world.operator.enqueueAgain(sink, component, which);
                }
            });
        }
    }

    /**
     * An operator stops an action at a replica of the sink.
     *
     * @param which the index among all actions
     */
    record StopAction(int replica, int which) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, sink -> world.operator.stop(sink, which));
        }
    }

    /** Scripts the next decisions of the policy of all queues. */
    record ScriptPolicy(ScriptedPolicy.Action action, int times) implements Step {
        @Override
        public void applyTo(World world) {
            world.policy.decideNext(action, times);
        }
    }

    /** Another version of the sink replaces one replica: an upgrade, a rollback or a canary. */
    record Replace(int replica, SinkVersion version, boolean gracefully) implements Step {
        @Override
        public void applyTo(World world) {
            world.replace(this);
        }
    }

    /** All faults end. The deployed versions must not block each other, whatever each of them cannot handle. */
    record Settle() implements Step {
        @Override
        public void applyTo(World world) {
            world.settle();
        }
    }

    /**
     * The sink is restarted with other settings of its queues, without a graceful shutdown.
     *
     * @param disabledComponent the component whose queue is disabled, or empty
     */
    record RollOut(String disabledComponent, QueueLimits limits, int cacheSize) implements Step {

        static final RollOut DEFAULT = new RollOut("", QueueLimits.DEFAULT, QueueSettings.DEFAULT_CACHE_SIZE);

        QueueSettings settings(String queue, EnqueuePolicy policy) {
            boolean enabled = !queue.equals(SequencedDeadLetterQueue.name(SinkReplica.PROCESSOR, disabledComponent));
            return new QueueSettings(enabled, limits, cacheSize, policy);
        }

        @Override
        public void applyTo(World world) {
            world.rollOut(this);
        }
    }

    /** The next replica that reaches this moment crashes. */
    record CrashAt(Side side, CrashPoints.Moment moment) implements Fault {
        @Override
        public void applyTo(World world) {
            world.crashPoints(side).crashAt(moment);
        }
    }

    /** A replica crashes between two steps. */
    record Kill(Side side, int replica) implements Fault {
        @Override
        public void applyTo(World world) {
            world.restart(side, replica);
        }
    }

    /** A replica of the sink is silent for longer than its leases, and the other one claims its segments. */
    record OutlastLease(int replica) implements Fault {
        @Override
        public void applyTo(World world) {
            world.passTime(Steps.BEYOND_LEASE);
            world.atSink(Steps.REPLICAS - 1 - replica, SinkReplica::process);
        }
    }

    /** The wire restarts empty. */
    record RestartWireEmpty() implements Fault {
        @Override
        public void applyTo(World world) {
            world.wire.restart();
        }
    }

    /** The wire loses its newest records. */
    record LoseTail(int records) implements Fault {
        @Override
        public void applyTo(World world) {
            SinkReplica.STREAMS.forEach(stream -> world.wire.loseTail(stream, records));
        }
    }

    /** The wire disconnects or reconnects. */
    record ConnectWire(boolean up) implements Fault {
        @Override
        public void applyTo(World world) {
            if (up) {
                world.wire.reconnect();
            } else {
                world.wire.disconnect();
            }
        }
    }

    /** The next store calls of the sink fail. */
    record FailStore(StoreFaults.Kind kind, int calls) implements Fault {
        @Override
        public void applyTo(World world) {
            world.storeFaults.failNext(kind, calls);
        }
    }

    /** The next handlers throw. */
    record FailHandlers(int times, boolean permanently) implements Fault {
        @Override
        public void applyTo(World world) {
            world.mirror.failNext(times, permanently);
        }
    }

    /** The next decisions of handlers throw. */
    record FailDecisions(int times) implements Fault {
        @Override
        public void applyTo(World world) {
            world.mirror.rejectNext(times);
        }
    }

    /** The breaker of a component opens or closes. */
    record SetBreaker(boolean open) implements Fault {
        @Override
        public void applyTo(World world) {
            world.mirror.setBreakerOpen(open);
        }
    }

    /** The clock of a replica's host is set forward, or back if negative, and keeps that time. */
    record SetClock(Side side, int replica, Duration difference) implements Fault {
        @Override
        public void applyTo(World world) {
            world.clock(side, replica).setForward(difference);
        }
    }

    /** The clock of a service's store is set, as when a database fails over to another host. */
    record SetStoreClock(Side side, Duration difference) implements Fault {
        @Override
        public void applyTo(World world) {
            world.store(side).setStoreClock(difference);
        }
    }

    /** The standby of a service's database gets no further commits. */
    record DetachStandby(Side side) implements Step {
        @Override
        public void applyTo(World world) {
            world.failovers.detachStandby(side);
        }
    }

    /** The standby takes over, without the commits since it was detached. */
    record FailOver(Side side) implements Fault {
        @Override
        public void applyTo(World world) {
            world.failovers.failOver(side);
        }
    }

    /** A replica checks that its log has lost nothing. */
    record CheckLog(Side side, int replica) implements Step {
        @Override
        public void applyTo(World world) {
            if (side == Side.SOURCE) {
                world.atSource(replica, SourceReplica::checkLog);
            } else {
                world.atSink(replica, SinkReplica::checkLog);
            }
        }
    }

    /** An operator accepts what the source has lost, through a replica of the sink; its later steps carry it out. */
    record AcceptRestores(int replica) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, world.operator::acceptRestores);
        }
    }

    /** Time passes in both services. */
    record PassTime(Duration time) implements Step {
        @Override
        public void applyTo(World world) {
            world.passTime(time);
        }
    }
}
