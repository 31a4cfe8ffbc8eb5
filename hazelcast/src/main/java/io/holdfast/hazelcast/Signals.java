package io.holdfast.hazelcast;

import io.holdfast.wire.Wire;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers signals under names and fires them by name. Thread-safe. */
final class Signals {

    private static final Logger log = LoggerFactory.getLogger(Signals.class);

    private final Map<String, List<Signal>> byName = new ConcurrentHashMap<>();

    Wire.Registration add(Collection<String> names, Runnable work) {
        Signal signal = new Signal(work);
        List<String> copy = List.copyOf(names);
        copy.forEach(name -> byName.computeIfAbsent(name, unknown -> new CopyOnWriteArrayList<>())
                .add(signal));
        return () -> copy.forEach(
                name -> byName.getOrDefault(name, new CopyOnWriteArrayList<>()).remove(signal));
    }

    void fire(String name) {
        byName.getOrDefault(name, List.of()).forEach(Signal::fire);
    }

    /** One registration, compared by identity: the same work may be registered twice. */
    private static final class Signal {

        private final Runnable work;

        Signal(Runnable work) {
            this.work = work;
        }

        void fire() {
            try {
                work.run();
            } catch (RuntimeException e) { // one failing signal must not prevent the others
                log.warn("A signal of the wire failed; the others still run", e);
            }
        }
    }
}
