package io.holdfast.tck.saga;

import io.holdfast.saga.tracking.TrackingProcessor;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.wire.StartAt;
import java.time.Duration;

/** One step of a simulated trade. */
interface TradeStep {

    void applyTo(SimulatedTrade world);

    /** A step in which something fails. */
    interface Fault extends TradeStep {}

    /** What a replica does in one step. */
    enum Part {
        ALL,
        ANNOUNCE,
        PROCESS,
        COMMIT,
        PUBLISH
    }

    /** A caller creates an order, which starts its saga. The caller may repeat it at another replica. */
    record Create(String order, int replica) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.at(Trade.TRACKER, replica, tracker -> {
                var unused = SagaWorld.submit(order, tracker);
            });
        }
    }

    /** A customer or an operator cancels an order. */
    record Cancel(String order, int replica) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.at(Trade.TRACKER, replica, tracker -> world.cancel(order, tracker));
        }
    }

    /** The business refuses a step of an order. */
    record Refuse(String order, boolean payment) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.handlers.refuse(payment ? Trade.CHARGE : Trade.STOCK, order);
        }
    }

    /** A replica works. */
    record Work(String service, int replica, Part part) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.at(service, replica, at -> {
                switch (part) {
                    case ALL -> at.work();
                    case ANNOUNCE -> at.announce();
                    case PROCESS -> at.process();
                    case COMMIT -> at.commit();
                    case PUBLISH -> at.publish();
                }
            });
        }
    }

    /** A detector runs once, without committing: it asks, or it judges. */
    record Detect(int replica) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.at(Trade.TRACKER, replica, world::detect);
        }
    }

    /** A detector hears, asks and judges. */
    record Judge(int replica) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.at(Trade.TRACKER, replica, world::judge);
        }
    }

    /** Time passes in all services. */
    record PassTime(Duration time) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.passTime(time);
        }
    }

    /** An operator replays all letters of a service. Later steps of the replica carry it out. */
    record Replay(String service, int replica) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.at(service, replica, world.service(service)::replayAll);
        }
    }

    /** An operator discards a letter. */
    record Discard(String service, int replica, int which) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.at(service, replica, at -> world.discard(world.service(service), at, which));
        }
    }

    /** An operator pauses or resumes a processor. */
    record Pause(String service, int replica, boolean paused) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.at(service, replica, at -> {
                if (paused) {
                    at.processor().pause();
                } else {
                    at.processor().resume();
                }
            });
        }
    }

    /** An operator lets the tracker read all events again. */
    record ResetTracking(int replica) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.at(Trade.TRACKER, replica, tracker -> {
                if (tracker.processors().contains(TrackingProcessor.NAME)) {
                    var unused = tracker.processor(TrackingProcessor.NAME).reset(StartAt.BEGINNING);
                }
            });
        }
    }

    /** Another version replaces a replica, or starts it. */
    record Deploy(String service, int replica, TradeVersion version) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.service(service).start(replica, version);
        }
    }

    /** All replicas of a service that are down start again. */
    record Start(String service) implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.service(service).startAll();
        }
    }

    /** All replicas of a service are killed and stay down. */
    record Stop(String service) implements Fault {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.service(service).stopAll();
        }
    }

    /** A replica is killed and restarted. */
    record Kill(String service, int replica) implements Fault {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.service(service).restart(replica);
        }
    }

    /** The next replica of the service that reaches this moment crashes. */
    record CrashAt(String service, Moment moment) implements Fault {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.service(service).crashPoints().crashAt(moment);
        }
    }

    /** The handlers of an event type fail until they are repaired. */
    record FailHandlers(String eventType, boolean retryable) implements Fault {
        @Override
        public void applyTo(SimulatedTrade world) {
            if (retryable) {
                world.handlers.failRetryably(eventType);
            } else {
                world.handlers.fail(eventType);
            }
        }
    }

    /** All handlers work again. */
    record RepairHandlers() implements TradeStep {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.handlers.repair();
        }
    }

    /** The breaker of the inventory opens or closes. */
    record SetBreaker(boolean open) implements Fault {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.openBreakers(open);
        }
    }

    /** The local compensation fails from now on, or works again. */
    record FailCancellations(boolean failing) implements Fault {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.failCancellations(failing);
        }
    }

    /** The wire delivers all events of a service again. */
    record Redeliver(String service) implements Fault {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.redeliver(service);
        }
    }

    /** The wire restarts empty. */
    record RestartWire() implements Fault {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.wire.restart();
        }
    }

    /** The wire loses the newest records of a stream. */
    record LoseTail(String stream, int records) implements Fault {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.wire.loseTail(stream, records);
        }
    }

    /** The wire disconnects or reconnects. */
    record ConnectWire(boolean up) implements Fault {
        @Override
        public void applyTo(SimulatedTrade world) {
            world.connect(up);
        }
    }
}
