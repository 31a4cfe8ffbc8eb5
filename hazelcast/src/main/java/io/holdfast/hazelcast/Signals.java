package io.holdfast.hazelcast;

import io.holdfast.wire.Wire;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who wants to be told about what, by name. */
final class Signals {

    private static final Logger log = LoggerFactory.getLogger(Signals.class);

    private final Map<String, List<Signal>> byName = new ConcurrentHashMap<>();

    Wire.Registration add(Collection<String> names, Runnable work) {
        Signal signal = new Signal(work);
        List<String> under = List.copyOf(names);
        under.forEach(name -> byName.computeIfAbsent(name, unknown -> new CopyOnWriteArrayList<>())
                .add(signal));
        return () -> under.forEach(
                name -> byName.getOrDefault(name, new CopyOnWriteArrayList<>()).remove(signal));
    }

    void fire(String name) {
        byName.getOrDefault(name, List.of()).forEach(Signal::fire);
    }

    /** One registration; another of the same work is not equal to it. */
    private static final class Signal {

        private final Runnable work;

        Signal(Runnable work) {
            this.work = work;
        }

        void fire() {
            try {
                work.run();
            } catch (RuntimeException e) { // it must not end what goes on here for others
                log.warn("A signal failed, and is only a signal", e);
            }
        }
    }
}
