package io.holdfast.processing.segment;

import io.holdfast.HoldfastException;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.StreamPosition;
import io.holdfast.parking.Awaited;
import io.holdfast.parking.ParkedSequenceLoader;
import io.holdfast.parking.ParkedSequences;
import io.holdfast.parking.SequenceTimes;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.processing.status.SegmentStatus.SlowHandler;
import io.holdfast.processing.stream.SequencedEvent;
import io.holdfast.processing.stream.StreamFeed;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.worker.MonotonicTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Works on one claimed segment: reads events, runs their handlers, and commits the effects together with the position,
 * one unit at a time. While a unit is being committed, the next handlers run. Not thread-safe; used by the
 * coordinator's thread, which leaves it to a pool thread during a transaction.
 */
public final class SegmentWorker {

    public static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    /** How long handled events wait for slow handlers before they are committed without them. */
    private static final Duration BATCH_LINGER = Duration.ofMillis(200);
    /** How long events wait for a handler thread before that is reported. A loaded service makes them wait shortly. */
    private static final Duration THREAD_WAIT_TOLERANCE = Duration.ofSeconds(10);

    private final ProcessorContext context;
    private final TokenClaim claim;
    private final ProcessingBackoff backoff;
    private final SegmentBacklog backlog;
    private final ParkedSequences parked;
    private final SegmentReplays replays = new SegmentReplays();
    private final SegmentReplayAttempts replayAttempts;
    private final SegmentRepairs repairs;
    private final SegmentOverflow overflow;
    private final LostTransactions lostTransactions;
    private final SegmentCommits commits;
    private final HandlerTransactions transactions;
    private final Map<String, Long> limits = new HashMap<>();
    private @Nullable HandlerRun run;
    private boolean runsTransaction;
    private volatile long lag;
    private boolean stopping;
    private boolean lost;

    SegmentWorker(
            ProcessorContext context,
            SegmentComponents components,
            TokenClaim claim,
            Token token,
            ProcessingBackoff backoff,
            LostTransactions lostTransactions) {
        this.context = context;
        this.claim = claim;
        this.backoff = backoff;
        this.backlog = new SegmentBacklog(components, token);
        this.parked = new ParkedSequences(
                new ParkedSequenceLoader(
                        context.stores().letters(),
                        components.all(),
                        token,
                        components::settles,
                        context.clock(),
                        this::requireUnchanged),
                context.parking().probes(),
                SequenceTimes.of(
                        context.parking().policy(), components.all(), ProcessingBackoff.LONGEST, context.clock()));
        this.replayAttempts = new SegmentReplayAttempts(context, components, parked, replays, this::requireUnchanged);
        this.repairs = new SegmentRepairs(
                context.stores().letters(),
                parked,
                replays,
                id -> components.all().stream()
                        .anyMatch(component -> component.id().equals(id)),
                this::requireUnchanged);
        this.overflow =
                new SegmentOverflow(new ProcessingBackoff(context.service() + "/" + claim.segment(), context.clock()));
        this.lostTransactions = lostTransactions;
        this.commits = new SegmentCommits(
                context, claim, token, backlog, replayAttempts, repairs, parked, overflow, backoff, lostTransactions);
        this.transactions = new HandlerTransactions(context, commits, lostTransactions);
    }

    public int number() {
        return claim.segment().number();
    }

    public TokenClaim claim() {
        return claim;
    }

    public Token token() {
        return commits.token();
    }

    /**
     * Returns whether another replica owns the segment, or it was changed under this replica's claim. Nothing more can
     * be committed.
     */
    public boolean isLost() {
        return lost;
    }

    /** @see SegmentCommits#isStale */
    boolean isStale(long version) {
        return commits.isStale(version);
    }

    private void requireUnchanged() {
        commits.requireUnchanged();
    }

    public boolean covers(int hash) {
        return Segments.covers(hash, number(), token().setup().mask());
    }

    /** Returns what parked sequences await that this version cannot handle. */
    Set<Awaited> awaited() {
        return isInTransaction() ? Set.of() : parked.awaited();
    }

    /** Replays a parked sequence now, whatever its state. */
    public void replay(SequenceReplay replay) {
        replays.request(replay);
    }

    /** Returns whether a replay of this sequence was requested and has not ended. */
    public boolean isReplayRequested(SequenceId sequence) {
        return replays.isRequested(sequence);
    }

    /** Changes a letter on behalf of an operator, once its sequence is not being replayed. */
    public void repair(LetterRepair repair) {
        repairs.request(repair);
    }

    /** Returns whether the worker starts nothing new. */
    public boolean isStopping() {
        return stopping;
    }

    /** Adds a stream that the segment has not read before. */
    public void addStream(String stream, StreamPosition start) {
        commits.addStream(stream, start);
    }

    /** Stops reading, so that the segment drains. */
    public void stop() {
        stopping = true;
    }

    /** Reads no further than to these positions. */
    public void stopAt(Map<String, Long> positions) {
        limits.clear();
        limits.putAll(positions);
    }

    void resume() {
        stopping = false;
        limits.clear();
    }

    public Map<String, StreamPosition> readPositions() {
        return backlog.readPositions();
    }

    /**
     * Returns whether nothing runs, nothing waits for a commit, and the position of everything that was read is stored.
     */
    public boolean isDrained() {
        return run == null
                && !commits.isCommitting()
                && backlog.isEmpty()
                && replayAttempts.isEmpty()
                && repairs.isEmpty()
                && backlog.readPositions().equals(token().positions());
    }

    /**
     * Returns whether a handler of this segment is running. An asynchronous one that has exceeded its timeout does not
     * count.
     */
    boolean hasRunningHandlers() {
        HandlerRun running = run;
        List<HandlerTask> overdue = overdueTasks();
        return (running != null && !running.isFinished())
                || Stream.concat(backlog.openTasks().stream(), replayAttempts.tasks().stream())
                        .filter(task -> task.thread() != null || !overdue.contains(task))
                        .anyMatch(task -> task.runningSince() != null);
    }

    /** Gives the segment up. Running handlers are not stopped; their results are ignored. */
    public void abandon() {
        lost = true;
        replayAttempts.abandon();
        replays.abandon();
        repairs.abandon();
        // Also while another thread runs a transaction: it only reads these lists.
        backlog.openTasks().forEach(task -> task.guarded().abandon());
        replayAttempts.tasks().forEach(task -> task.guarded().abandon());
    }

    /**
     * Does what can be done now.
     *
     * @return the time to wait before the next step, unless woken
     */
    public Duration step(Map<String, StreamFeed> feeds) {
        if (isInTransaction()) {
            reportHungHandlers();
            return POLL_INTERVAL;
        }
        try {
            if (!commits.applyOutcome()) {
                abandon();
            }
            Duration remaining = backoff.remaining();
            if (lost || !remaining.isZero()) {
                return remaining.compareTo(POLL_INTERVAL) < 0 && !lost ? remaining : POLL_INTERVAL;
            }
            refreshTasks();
            overflow.clearIfRoom(parked, backlog);
            abandonUnparkable();
            retryUnparkable();
            boolean read = readFeeds(feeds);
            parked.prefetch(this::wantedSequences);
            startHandlers();
            if (isInTransaction()) {
                return POLL_INTERVAL;
            }
            refreshTasks();
            if (!isLingering()) {
                commits.submit(stopping || !limits.isEmpty());
            }
            if (isDrained()) {
                backoff.clearIfCommitted(Map.of()); // nothing is left that could fail again
            }
            return read ? Duration.ZERO : nextDelay();
        } catch (StaleTokenException e) {
            abandon();
            return backoff.backOff(e, null);
        } catch (HoldfastException e) {
            return backoff.backOff(e, null);
        }
    }

    /** Returns the sequences to handle now, new or parked. They are loaded together if they are not cached. */
    private Set<SequenceId> wantedSequences() {
        Set<SequenceId> wanted = backlog.openSequences();
        wanted.addAll(replays.next(context.settings().batch()));
        return wanted;
    }

    /** Drops events that cannot be parked, so that a stopping segment can drain. They are read again later. */
    private void abandonUnparkable() {
        if (stopping
                && overflow.isActive()
                && !hasRunningHandlers()
                && !commits.isCommitting()
                && replayAttempts.isEmpty()) {
            backlog.openTasks().forEach(task -> task.guarded().release());
            backlog.startOver(token());
            overflow.backlogAbandoned();
        }
    }

    /** Handles events again that could not be parked: they may succeed by now, or there may be room. */
    private void retryUnparkable() {
        if (!commits.isCommitting() && overflow.startRetryIfDue()) { // otherwise the commit may still park them
            backlog.openTasks().stream()
                    .filter(task -> task.state() == HandlerTask.State.FAILED)
                    .filter(task -> overflow.isFull(task.component().id()))
                    .forEach(HandlerTask::restart);
        }
    }

    /** Returns whether a pool thread handles and commits, and uses the state of this worker. */
    private boolean isInTransaction() {
        HandlerRun running = run;
        return running != null && runsTransaction && !running.isFinished();
    }

    /** Results of a run are committed together, unless the run takes long. */
    private boolean isLingering() {
        HandlerRun running = run;
        return running != null && context.time().isBefore(running.submittedAt().plus(BATCH_LINGER));
    }

    private boolean readFeeds(Map<String, StreamFeed> feeds) {
        boolean read = false;
        int share = Math.max(1, context.settings().batch() / feeds.size());
        int maxAhead = Math.max(ProcessorSettings.MAX_AHEAD, context.settings().batch());
        for (Map.Entry<String, StreamFeed> feed : feeds.entrySet()) {
            StreamPosition cursor = backlog.readPositions().get(feed.getKey());
            if (stopping || overflow.isActive() || cursor == null || backlog.size() >= maxAhead) {
                feed.getValue().removeSegment(number());
            } else if (backlog.openEvents() < context.settings().batch()) {
                read |= accept(read(feed.getKey(), feed.getValue(), cursor), share);
            }
        }
        return read;
    }

    private List<SequencedEvent> read(String stream, StreamFeed feed, StreamPosition cursor) {
        return backlog.hasUnreadMarks(stream) ? feed.readFromSource(number(), cursor) : feed.read(number(), cursor);
    }

    private boolean accept(List<SequencedEvent> events, int share) {
        int maxSize = backlog.size() + share;
        boolean read = false;
        for (SequencedEvent event : events) {
            Long limit = limits.get(event.event().stream());
            if (backlog.size() >= maxSize || (limit != null && event.event().position() > limit)) {
                break;
            }
            backlog.add(event);
            read = true;
        }
        return read;
    }

    /** Starts the handlers of new events and of due letters. */
    private void startHandlers() {
        if (run != null || isTransactionPostponed()) {
            return;
        }
        List<HandlerTask> tasks = new ArrayList<>(backlog.startable(parked::contains));
        int room = context.handlers().writesApplicationRows() ? commits.room() : Integer.MAX_VALUE;
        if (tasks.size() < room) {
            tasks.addAll(replayAttempts.startable(!stopping));
        }
        if (!tasks.isEmpty() && room > 0) {
            start(lostTransactions.select(tasks.subList(0, Math.min(tasks.size(), room))));
        }
    }

    /** A transaction commits its own unit, never concurrently with another. */
    private boolean isTransactionPostponed() {
        return context.handlers().writesApplicationRows() && (commits.isCommitting() || commits.parksFirst());
    }

    private void start(List<HandlerTask> tasks) {
        boolean needsTransaction = tasks.stream().anyMatch(HandlerTask::writesApplicationRows);
        HandlerRun started = new HandlerRun(
                context, tasks, needsTransaction ? transactions::call : running -> running.callAll(null));
        run = started;
        runsTransaction = needsTransaction;
        context.handlers().threads().execute(started);
    }

    private void refreshTasks() {
        HandlerRun running = run;
        if (running != null) {
            boolean finished = running.isFinished();
            running.refresh(finished);
            run = finished ? null : running;
        }
        backlog.openTasks().forEach(HandlerTask::refreshState);
        replayAttempts.refresh();
        timeOutAsyncHandlers();
    }

    /**
     * Fails asynchronous handlers that have exceeded their timeout. A synchronous one cannot be stopped; the status
     * reports it, and its breaker counts it as failed.
     */
    private void timeOutAsyncHandlers() {
        reportHungHandlers();
        Duration timeout = context.settings().handlerTimeout();
        for (HandlerTask task : overdueTasks()) {
            if (task.thread() == null) {
                task.failIfRunning(new TimeoutException(
                        "the asynchronous handler of " + task.event().type() + " in "
                                + task.component().id() + " did not complete within " + timeout
                                + "; its late result is rejected"));
                task.refreshState();
            }
        }
    }

    /** Reports synchronous handlers that have exceeded their timeout to their breakers, which would wait forever. */
    private void reportHungHandlers() {
        for (HandlerTask task : overdueTasks()) {
            if (task.thread() != null && task.component().component().breaker().isPresent()) {
                task.guarded()
                        .failed(new TimeoutException(task.event().type() + " has been handled for more than "
                                + context.settings().handlerTimeout()));
            }
        }
    }

    /** Returns the tasks whose handlers have exceeded their timeout. */
    private List<HandlerTask> overdueTasks() {
        if (backlog.isEmpty() && replayAttempts.isEmpty()) {
            return List.of(); // the usual case
        }
        MonotonicTime oldest = context.time().minus(context.settings().handlerTimeout());
        return Stream.concat(backlog.openTasks().stream(), replayAttempts.tasks().stream())
                .filter(task -> task.state() == HandlerTask.State.RUNNING)
                .filter(task -> {
                    MonotonicTime since = task.runningSince();
                    return since != null && since.isBefore(oldest);
                })
                .toList();
    }

    private Duration nextDelay() {
        Duration wait = POLL_INTERVAL;
        if (!parked.isEmpty() && !stopping && run == null && !commits.isCommitting()) {
            wait = shorter(wait, parked.untilDue(context.parking().policy().maxHold()));
            wait = replays.isWaiting() ? Duration.ZERO : wait;
        }
        if (overflow.isActive() && !commits.isCommitting()) {
            wait = shorter(wait, overflow.untilRetry());
        }
        if (run != null) {
            wait = shorter(wait, BATCH_LINGER);
        }
        return wait;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Updates the lag: the positions between the known heads and what is processed. */
    public void updateLag(Map<String, Long> newest) {
        long sum = 0;
        for (Map.Entry<String, StreamPosition> entry :
                backlog.positions(Set.of()).entrySet()) {
            long head = newest.getOrDefault(entry.getKey(), 0L);
            sum += Math.max(0, head - entry.getValue().position());
        }
        lag = sum;
    }

    double lag() {
        return lag;
    }

    SegmentStatus status() {
        return new SegmentStatus(
                number(),
                token().setup().mask(),
                Optional.of(claim.owner()),
                true,
                backlog.positions(Set.of()),
                lag,
                backlog.size(),
                parked.counts(),
                backoff.event().or(() -> overflow.backoff().event()),
                Math.max(backoff.failures(), overflow.backoff().failures()),
                backoff.error().or(() -> overflow.backoff().error()),
                slowHandlers(),
                waitingForThreadSince());
    }

    private Optional<Instant> waitingForThreadSince() {
        return Optional.ofNullable(run)
                .filter(running -> !running.isStarted())
                .map(HandlerRun::submittedAt)
                .map(since -> since.until(context.time()))
                .filter(waited -> waited.compareTo(THREAD_WAIT_TOLERANCE) >= 0)
                .map(waited -> context.now().minus(waited));
    }

    /** Returns the synchronous handlers that have exceeded their timeout, with their stack traces. */
    private List<SlowHandler> slowHandlers() {
        List<SlowHandler> slow = new ArrayList<>();
        for (HandlerTask task : overdueTasks()) {
            Thread thread = task.thread();
            MonotonicTime since = task.runningSince();
            if (thread != null && since != null) {
                slow.add(slowHandler(task, context.now().minus(since.until(context.time())), thread));
            }
        }
        return slow;
    }

    private static SlowHandler slowHandler(HandlerTask task, Instant since, Thread thread) {
        String stack = Stream.of(thread.getStackTrace()).map(Object::toString).collect(Collectors.joining("\n"));
        return new SlowHandler(
                task.component().id(), task.event().id(), task.event().type(), since, stack);
    }
}
