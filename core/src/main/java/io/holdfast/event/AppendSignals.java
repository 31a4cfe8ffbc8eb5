package io.holdfast.event;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a process knows of new events in its own log: who has read all of a stream does not ask the store again before there is news
 * of it. News is a hint, and may be missed: what another process appends is heard of by the wire, or not at all. So readers look
 * by themselves as well, now and then.
 *
 * <p>For any number of threads.
 */
public final class AppendSignals {

    private final boolean untracked;
    private final AtomicLong all = new AtomicLong();
    private final AtomicLong unattributed = new AtomicLong();
    private final Map<String, AtomicLong> streams = new ConcurrentHashMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> localListeners = new CopyOnWriteArrayList<>();

    private AppendSignals(boolean expected) {
        this.untracked = expected;
    }

    /** For a log of which nothing is heard until it is told here. */
    public static AppendSignals tracked() {
        return new AppendSignals(false);
    }

    /** For a log that nobody tells anything of: there may be news at any time. */
    public static AppendSignals untracked() {
        return new AppendSignals(true);
    }

    /** This process has appended, or perhaps appended, events to these streams. */
    public void appended(Set<String> names) {
        names.forEach(name -> counter(name).incrementAndGet());
        all.incrementAndGet();
        listeners.stream().filter(listener -> listener.matches(names)).forEach(Listener::fire);
        localListeners.forEach(Runnable::run);
    }

    /** This process has appended events, to whatever streams. */
    public void appended() {
        appendedElsewhere();
        localListeners.forEach(Runnable::run);
    }

    /** Another process may have appended events. */
    public void appendedElsewhere() {
        unattributed.incrementAndGet();
        all.incrementAndGet();
        listeners.forEach(Listener::fire);
    }

    /** A number that changes whenever a stream may have got events. */
    public long signalCount(String stream) {
        return untracked
                ? all.incrementAndGet()
                : unattributed.get() + counter(stream).get();
    }

    /** A number that changes whenever the log may have got events. */
    public long signalCount() {
        return untracked ? all.incrementAndGet() : all.get();
    }

    /** Runs a short signal when any of these streams may have got events. */
    public void onAppend(Collection<String> names, Runnable signal) {
        listeners.add(new Listener(Set.copyOf(names), signal));
    }

    /** Runs a short signal when the log may have got events. */
    public void onAppend(Runnable signal) {
        listeners.add(new Listener(null, signal));
    }

    /** Runs a short signal when this process has appended, to tell it to others. */
    public void onLocalAppend(Runnable signal) {
        localListeners.add(signal);
    }

    private AtomicLong counter(String stream) {
        return streams.computeIfAbsent(stream, unknown -> new AtomicLong());
    }

    private record Listener(@Nullable Set<String> names, Runnable signal) {

        boolean matches(Set<String> news) {
            return names == null || news.stream().anyMatch(names::contains);
        }

        void fire() {
            signal.run();
        }
    }
}
