package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.PermanentException;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamPosition;
import io.holdfast.jdbc.JdbcStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/** A filled log and its measurements. Results are medians in milliseconds. */
final class GrownLog implements AutoCloseable {

    private static final int APPENDS = 2_000;
    private static final int CALLERS = 8;
    private static final int LOADS = 500;
    private static final int PAGES = 10;
    private static final int PAGE_SIZE = 500;

    private final long events;
    private final JdbcStore store;
    private final GroupedAppends appends;

    GrownLog(HikariDataSource dataSource, long events) {
        this.events = events;
        this.store = JdbcStore.in(Purchases.SERVICE, dataSource).open();
        this.appends = new GroupedAppends(dataSource);
    }

    JdbcStore store() {
        return store;
    }

    /** Appends to a hundred keys, whose states are cached after the first round. */
    double append() {
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<List<Double>>> running = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                running.add(threads.submit(this::appendSome));
            }
            List<Double> times = new ArrayList<>();
            for (Future<List<Double>> one : running) {
                times.addAll(one.get());
            }
            return median(times);
        } catch (ExecutionException | InterruptedException e) {
            throw Failures.of("appending", e);
        } finally {
            threads.shutdown();
        }
    }

    private List<Double> appendSome() {
        long keys = keys();
        long hot = Math.max(1, Math.min(100, keys / 10));
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < APPENDS / CALLERS; i++) {
            // Spread over the whole key range, so that the database pages of a large log are far apart.
            long key = ThreadLocalRandom.current().nextLong(hot) * (keys / hot);
            long before = System.nanoTime();
            appends.append(Purchases.key(key), i);
            times.add((System.nanoTime() - before) / 1e6);
        }
        return times;
    }

    /** Loads random keys without a cache. */
    double load() {
        AggregateStates states = new AggregateStates(store.eventLog(), new PayloadCodec(), 0);
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < LOADS; i++) {
            String key = Purchases.key(ThreadLocalRandom.current().nextLong(keys()));
            long before = System.nanoTime();
            long version = states.newest(Purchases.ACCOUNT, key).version();
            times.add((System.nanoTime() - before) / 1e6);
            if (version < FilledLog.EVENTS_PER_KEY) {
                throw new PermanentException("key " + key + " has " + version + " events");
            }
        }
        return median(times);
    }

    /** Reads pages from a random position and checks that the chain of positions has no gap. */
    double page() {
        EventLog log = store.eventLog();
        long start = ThreadLocalRandom.current().nextLong(events - (long) PAGES * PAGE_SIZE);
        StreamPosition reached = new StreamPosition(log.identity(), start, null);
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < PAGES; i++) {
            long before = System.nanoTime();
            List<EventMessage> page = log.readAll(reached.position(), PAGE_SIZE);
            times.add((System.nanoTime() - before) / 1e6);
            for (EventMessage event : page) {
                if (!reached.isFollowedBy(event)) {
                    throw new PermanentException("event " + event.position() + " does not follow " + reached);
                }
                reached = event.streamPosition();
            }
        }
        return median(times);
    }

    private long keys() {
        return events / FilledLog.EVENTS_PER_KEY;
    }

    private static double median(List<Double> times) {
        Collections.sort(times);
        return times.get(times.size() / 2);
    }

    @Override
    public void close() {
        appends.close();
        store.close();
    }
}
