package io.holdfast.failover;

import io.holdfast.event.EventMessage;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Remembers the newest events and the number of commits that this process has seen, by reading or writing. A log from
 * which they are missing has lost its tail. Thread-safe.
 */
public final class LogWitness {

    /** Covers what an asynchronous standby may lack. Only the exact position of a loss depends on it, not its detection. */
    static final int CAPACITY = 10_000;

    private final TreeMap<Long, SeenEvent> seen = new TreeMap<>();
    private long commits;

    public synchronized void saw(Collection<EventMessage> events) {
        for (EventMessage event : events) {
            saw(SeenEvent.of(event));
        }
    }

    private void saw(SeenEvent event) {
        Map.Entry<Long, SeenEvent> oldest = seen.firstEntry();
        if (seen.size() < CAPACITY || oldest.getKey() < event.position()) {
            seen.put(event.position(), event);
            if (seen.size() > CAPACITY) {
                seen.pollFirstEntry();
            }
        }
    }

    public synchronized void sawCommit(long number) {
        commits = Math.max(commits, number);
    }

    public synchronized Witnessed witnessed() {
        return new Witnessed(seen.isEmpty() ? null : seen.lastEntry().getValue(), commits);
    }

    /** Returns the newest events, in position order. */
    synchronized List<SeenEvent> events() {
        return List.copyOf(seen.values());
    }

    /** Forgets what the log has lost. */
    synchronized void forget(TailLoss loss) {
        seen.tailMap(loss.commonPosition(), false).clear();
        commits = loss.commits();
    }
}
