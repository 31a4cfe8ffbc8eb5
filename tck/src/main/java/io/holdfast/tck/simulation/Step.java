package io.holdfast.tck.simulation;

import io.holdfast.deadletter.EnqueuePolicy;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.QueueSettings;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.tck.CrashPoints;
import java.time.Duration;

/** One thing that happens in a simulated world. */
interface Step {

    void applyTo(World world);

    /** The writing and the reading service. */
    enum Side {
        SOURCE,
        SINK
    }

    /** What a command is about. */
    enum CommandKind {
        DEPOSIT,
        WITHDRAW,
        TRANSFER,
        BROKEN
    }

    /** What can be asked of a processor. */
    enum Operation {
        SPLIT,
        MERGE,
        RELEASE,
        /** To the beginning. */
        RESET
    }

    /** Which parked sequences are processed again. */
    enum ReplayMode {
        ANY,
        /** One whose first event has an odd number. */
        ODD,
        ALL,
        ALL_ODD,
        CANARY_FIRST,
        /** One each second. */
        SLOWLY
    }

    /** What can be done to a parked letter beside the owner of its segment. */
    enum LetterOperation {
        EVICT,
        REQUEUE,
        /** An event that was dealt with is parked again behind it. */
        ENQUEUE_AGAIN
    }

    /**
     * Somebody sends a command to a replica of the source.
     *
     * @param idempotencyKey 0 for a command that is sent once; else the same command may be sent again
     */
    record SendCommand(int replica, CommandKind kind, String from, String to, long amount, int idempotencyKey)
            implements Step {
        @Override
        public void applyTo(World world) {
            world.send(this);
        }
    }

    /** A transaction of the source writes to the outbox, and commits or not. */
    record Remark(String about, String text, boolean commits) implements Step {
        @Override
        public void applyTo(World world) {
            world.remark(this);
        }
    }

    /** A replica's committer commits what waits. */
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

    /** A replica of the sink reads and handles a batch, or takes the committer's answer. */
    record Handle(int replica) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, SinkReplica::process);
        }
    }

    /** An asynchronous handler that waits ends. */
    record CompleteAsync(int which, boolean fails) implements Step {
        @Override
        public void applyTo(World world) {
            world.mirror.completeOne(which, fails);
        }
    }

    /** Somebody asks a replica of the sink for an operation; its next steps carry it out. */
    record Operate(int replica, Operation operation, int segment) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, sink -> sink.operate(operation, segment));
        }
    }

    /** Somebody pauses the processor by a replica, or lets it go on. */
    record Pause(int replica, boolean paused) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, sink -> sink.pause(paused));
        }
    }

    /** Somebody asks a replica of the sink to process parked letters of a component; its next steps do so. */
    record Replay(int replica, ReplayMode mode, String component) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, sink -> sink.replay(mode, component));
        }
    }

    /** Somebody stops the bulk replays of a replica. */
    record StopReplays(int replica) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, SinkReplica::stopReplays);
        }
    }

    /**
     * Somebody changes a parked letter at a replica of the sink, which may not have its segment.
     *
     * @param which of all letters of the component
     */
    record ChangeLetter(int replica, LetterOperation operation, String component, int which) implements Step {
        @Override
        public void applyTo(World world) {
            world.atSink(replica, sink -> {
                switch (operation) {
                    case EVICT -> world.operator.evict(sink, component, which);
                    case REQUEUE -> world.operator.requeue(sink, component, which);
                    case ENQUEUE_AGAIN -> world.operator.enqueueAgain(sink, component, which);
                }
            });
        }
    }

    /** The next answers of the policy of all queues. */
    record ScriptPolicy(ScriptedPolicy.Action action, int times) implements Step {
        @Override
        public void applyTo(World world) {
            world.policy.decideNext(action, times);
        }
    }

    /**
     * Another version of the sink takes over, without warning.
     *
     * @param disabledComponent the component whose queue is switched off, if there is such a component
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

    /** The next time that this moment comes, whoever reaches it dies. */
    record CrashAt(Side side, CrashPoints.Moment moment) implements Step {
        @Override
        public void applyTo(World world) {
            world.crashPoints(side).crashAt(moment);
        }
    }

    /** A replica dies between two steps. */
    record Kill(Side side, int replica) implements Step {
        @Override
        public void applyTo(World world) {
            world.restart(side, replica);
        }
    }

    /** A replica of the sink says nothing for longer than its leases, and the other one takes all that it had. */
    record OutlastLease(int replica) implements Step {
        @Override
        public void applyTo(World world) {
            world.passTime(Steps.BEYOND_LEASE);
            world.atSink(Steps.REPLICAS - 1 - replica, SinkReplica::process);
        }
    }

    /** The wire comes back empty. */
    record RestartWireEmpty() implements Step {
        @Override
        public void applyTo(World world) {
            world.wire.restart();
        }
    }

    /** The wire loses its newest records. */
    record LoseTail(int records) implements Step {
        @Override
        public void applyTo(World world) {
            SinkReplica.STREAMS.forEach(stream -> world.wire.loseTail(stream, records));
        }
    }

    /** The wire goes down or comes back. */
    record ConnectWire(boolean up) implements Step {
        @Override
        public void applyTo(World world) {
            if (up) {
                world.wire.reconnect();
            } else {
                world.wire.disconnect();
            }
        }
    }

    /** The next calls of the sink to its store fail. */
    record FailStore(StoreFaults.Kind kind, int calls) implements Step {
        @Override
        public void applyTo(World world) {
            world.storeFaults.failNext(kind, calls);
        }
    }

    /** The next handlers throw. */
    record FailHandlers(int times, boolean permanently) implements Step {
        @Override
        public void applyTo(World world) {
            world.mirror.failNext(times, permanently);
        }
    }

    /** The next decisions of handlers throw. */
    record FailDecisions(int times) implements Step {
        @Override
        public void applyTo(World world) {
            world.mirror.rejectNext(times);
        }
    }

    /** The breaker of a component opens or closes. */
    record SetBreaker(boolean open) implements Step {
        @Override
        public void applyTo(World world) {
            world.mirror.setBreakerOpen(open);
        }
    }

    /** Time passes everywhere. */
    record PassTime(Duration time) implements Step {
        @Override
        public void applyTo(World world) {
            world.passTime(time);
        }
    }
}
