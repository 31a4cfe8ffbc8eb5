package io.holdfast.wire.source;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Signals new events in this service's own log, so that a reader at the end of a stream does not query the store
 * until something was appended.
 *
 * <p>A signal is a hint and may be missed: appends of other replicas are signaled over the wire, or not at all. So
 * readers also poll, as a fallback.
 *
 * <p>Thread-safe.
 */
public final class AppendSignals {

    private final boolean untracked;
    private final AtomicLong all = new AtomicLong();
    private final AtomicLong unattributed = new AtomicLong();
    private final Map<String, AtomicLong> streams = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> localListeners = new CopyOnWriteArrayList<>();

    private AppendSignals(boolean untracked) {
        this.untracked = untracked;
    }

    /** Returns signals for a log whose appends are reported to this object. */
    public static AppendSignals tracked() {
        return new AppendSignals(false);
    }

    /** Returns signals for a log whose appends are not reported: there may be new events at any time. */
    public static AppendSignals untracked() {
        return new AppendSignals(true);
    }

    /** Reports that this process has, or may have, appended events to these streams. */
    public void appended(Set<String> names) {
        names.forEach(name -> counter(name).incrementAndGet());
        all.incrementAndGet();
        listeners.stream().filter(listener -> listener.matches(names)).forEach(Listener::fire);
        localListeners.forEach(Runnable::run);
    }

    /** Reports that this process has appended events to unspecified streams. */
    public void appended() {
        appendedElsewhere();
        localListeners.forEach(Runnable::run);
    }

    /** Reports that another process may have appended events. */
    public void appendedElsewhere() {
        unattributed.incrementAndGet();
        all.incrementAndGet();
        listeners.forEach(Listener::fire);
    }

    /** Returns a number that changes whenever a stream may have new events. */
    public long signalCount(String stream) {
        return untracked
                ? all.incrementAndGet()
                : unattributed.get() + counter(stream).get();
    }

    /** Returns a number that changes whenever the log may have new events. */
    public long signalCount() {
        return untracked ? all.incrementAndGet() : all.get();
    }

    /** Registers a short signal that runs when any of these streams may have new events. */
    public void onAppend(Collection<String> names, Runnable signal) {
        listeners.add(new Listener(Set.copyOf(names), signal));
    }

    /** Registers a short signal that runs when the log may have new events. */
    public void onAppend(Runnable signal) {
        listeners.add(new Listener(null, signal));
    }

    /** Registers a short signal that runs when this process has appended events, to notify other replicas. */
    public void onLocalAppend(Runnable signal) {
        localListeners.add(signal);
    }

    private AtomicLong counter(String stream) {
        return streams.computeIfAbsent(stream, unknown -> new AtomicLong());
    }

    private record Listener(@Nullable Set<String> names, Runnable signal) {

        boolean matches(Set<String> appended) {
            return names == null || appended.stream().anyMatch(names::contains);
        }

        void fire() {
            signal.run();
        }
    }
}
