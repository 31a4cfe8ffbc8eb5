package io.holdfast.failover.witness;

import io.holdfast.event.EventMessage;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.SeenEvent;
import io.holdfast.failover.TailLoss;
import io.holdfast.failover.TailLostException;
import io.holdfast.failover.Witnessed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the newest events and the number of commits that this process has seen, by reading or writing. A log from
 * which they are missing has lost its tail. Thread-safe.
 *
 * <p>Events that were read since the last check may be from before or after a failover. They are therefore kept apart
 * until a check has found them. Every check includes those on which a state was built; the others are only part of the
 * periodic check, because there may be thousands.
 */
public final class LogWitness {

    /** Covers what an asynchronous standby may lack. Only the exact position of a loss depends on it, not its detection. */
    static final int CAPACITY = 10_000;

    private final TreeMap<Long, SeenEvent> verified = new TreeMap<>();
    private final List<SeenEvent> read = new ArrayList<>();
    private final List<SeenEvent> folded = new ArrayList<>();
    private long commits;
    private long seen;

    /** Records events of a commit of this process, which were verified under the head lock. */
    public synchronized void committed(Collection<EventMessage> events, long commitNumber) {
        events.forEach(event -> addVerified(SeenEvent.of(event, ++seen)));
        commits = Math.max(commits, commitNumber);
    }

    /** Records events that were read. */
    public synchronized void read(Collection<EventMessage> events) {
        for (EventMessage event : events) {
            if (read.size() < CAPACITY && !isVerified(event)) {
                read.add(SeenEvent.of(event, ++seen));
            }
        }
    }

    /** Records the last event of a key that was read to build a state. */
    synchronized void folded(EventMessage last) {
        if (!isVerified(last)) {
            folded.add(SeenEvent.of(last, ++seen));
        }
    }

    private boolean isVerified(EventMessage event) {
        SeenEvent known = verified.get(event.position());
        return known != null && known.id().equals(event.id());
    }

    /** Returns what must be in the log before anything is appended. */
    public synchronized Witnessed witnessed() {
        return new Witnessed(newest(), commits, folded, 0);
    }

    /** Returns everything that must be in the log. */
    synchronized Witnessed witnessedWithReads() {
        List<SeenEvent> unverified = new ArrayList<>(folded);
        unverified.addAll(read);
        return new Witnessed(newest(), commits, unverified, read.size());
    }

    private @Nullable SeenEvent newest() {
        return verified.isEmpty() ? null : verified.lastEntry().getValue();
    }

    /**
     * Checks that the log still contains what was seen, by a reading for the same {@link Witnessed}.
     *
     * @throws TailLostException if it does not
     */
    public synchronized void check(Witnessed witnessed, HeadReading head) {
        witnessed.requireIn(head);
        moveToVerified(folded, witnessed.unverified().size() - witnessed.reads());
        moveToVerified(read, witnessed.reads());
        if (head.id() != null) {
            addVerified(new SeenEvent(head.position(), head.id(), head.epoch(), ++seen));
        }
    }

    private void moveToVerified(List<SeenEvent> from, int count) {
        List<SeenEvent> passed = from.subList(0, Math.min(count, from.size())); // another thread may have moved them
        passed.forEach(this::addVerified);
        passed.clear();
    }

    /** An event that was seen before keeps its order. */
    private void addVerified(SeenEvent event) {
        SeenEvent known = verified.get(event.position());
        if (known == null || !known.id().equals(event.id())) {
            verified.put(event.position(), event);
        }
        if (verified.size() > CAPACITY) {
            verified.pollFirstEntry();
        }
    }

    /** Returns the newest events that the log contained at the last check. */
    synchronized List<SeenEvent> verified() {
        return List.copyOf(verified.values());
    }

    /** Forgets what the log has lost, and what was read before the loss was known. */
    synchronized void forget(TailLoss loss) {
        verified.tailMap(loss.commonPosition(), false).clear();
        read.clear();
        folded.clear();
        commits = loss.commits();
    }
}
