package io.holdfast.processing;

import io.holdfast.HoldfastException;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.Segments;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.worker.UserFailures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work on one claimed segment: reads, lets handlers run, commits what came of them together with the position, one
 * unit at a time. While one is being committed the next handlers run. For the coordinator's thread.
 */
final class SegmentWorker {

    static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    /** What has been handled is not kept waiting for a handler that takes long. */
    private static final Duration BATCH_LINGER = Duration.ofMillis(200);

    private final ProcessorContext context;
    private final TokenClaim claim;
    private final ProcessingBackoff backoff;
    private final SegmentBacklog backlog;
    private final ParkedSequences parked;
    private final SegmentReplays replays = new SegmentReplays();
    private final SegmentReplayAttempts replayAttempts;
    private final SegmentOverflow overflow;
    private final SegmentCommits commits;
    private final Map<String, Long> limits = new HashMap<>();
    private @Nullable HandlerRun run;
    private volatile long lag;
    private boolean stopping;
    private boolean lost;

    SegmentWorker(ProcessorContext context, TokenClaim claim, Token token, ProcessingBackoff hold) {
        this.context = context;
        this.claim = claim;
        this.backoff = hold;
        this.backlog = new SegmentBacklog(context, token);
        this.parked = new ParkedSequences(new ParkedSequenceLoader(context, token), context.probes());
        this.replayAttempts = new SegmentReplayAttempts(context, parked, replays);
        this.overflow =
                new SegmentOverflow(new ProcessingBackoff(context.service() + "/" + claim.segment(), context.clock()));
        this.commits = new SegmentCommits(context, claim, token, backlog, replayAttempts, parked, overflow, hold);
    }

    int number() {
        return claim.segment().number();
    }

    TokenClaim claim() {
        return claim;
    }

    Token token() {
        return commits.token();
    }

    /** Somebody else has the segment, or it was changed under this replica: nothing more can be committed. */
    boolean isLost() {
        return lost;
    }

    /**
     * Whether the stored token has moved by something else than what this work commits. A transaction that is over has said so
     * before; asked the other way round, it might be over in between.
     */
    boolean isStale(long version) {
        boolean isCommitting = isInTransaction() || commits.isCommitting();
        return version > token().version() + (isCommitting ? 1 : 0);
    }

    boolean covers(int hash) {
        return Segments.covers(hash, number(), token().setup().mask());
    }

    /** Processes a parked sequence now, whatever it waits for. */
    void replay(SequenceReplay replay) {
        replays.request(replay);
    }

    /** Whether it begins nothing. */
    boolean isStopping() {
        return stopping;
    }

    /** Reads a stream that the segment did not read. */
    void addStream(String stream, StreamPosition start) {
        commits.addStream(stream, start);
    }

    /** Reads nothing more, and comes to rest. */
    void stop() {
        stopping = true;
    }

    /** Reads no further than to these positions. */
    void stopAt(Map<String, Long> positions) {
        limits.clear();
        limits.putAll(positions);
    }

    void resume() {
        stopping = false;
        limits.clear();
    }

    Map<String, StreamPosition> readPositions() {
        return backlog.readPositions();
    }

    /** Whether nothing runs, nothing waits to be committed, and the position of all that was read is stored. */
    boolean isDrained() {
        return run == null
                && !commits.isCommitting()
                && backlog.isEmpty()
                && replayAttempts.isEmpty()
                && backlog.readPositions().equals(token().positions());
    }

    /** Whether a handler runs that was called for this segment. An asynchronous one that is too late does not count. */
    boolean hasRunningHandlers() {
        HandlerRun running = run;
        List<HandlerTask> late = overdueTasks();
        return (running != null && !running.isFinished())
                || Stream.concat(backlog.openTasks().stream(), replayAttempts.tasks().stream())
                        .filter(task -> task.thread() != null || !late.contains(task))
                        .anyMatch(task -> task.runningSince() != null);
    }

    /** The segment is given up. Handlers that run are not stopped; what they say goes nowhere. */
    void abandon() {
        lost = true;
        replayAttempts.abandon();
        replays.abandon();
        if (!context.writesApplicationRows()) { // those are synchronous, and another thread works on them
            backlog.openTasks().forEach(HandlerTask::abandon);
            replayAttempts.tasks().forEach(HandlerTask::abandon);
        }
    }

    /**
     * Does what can be done now.
     *
     * @return how long to wait, unless woken, before the next step
     */
    Duration step(Map<String, StreamFeed> feeds) {
        if (isInTransaction()) {
            return POLL_INTERVAL;
        }
        try {
            if (!commits.applyOutcome()) {
                abandon();
            }
            Duration held = backoff.remaining();
            if (lost || !held.isZero()) {
                return held.compareTo(POLL_INTERVAL) < 0 && !lost ? held : POLL_INTERVAL;
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
                backoff.clearIfCommitted(Map.of()); // nothing that could fail again
            }
            return read ? Duration.ZERO : nextDelay();
        } catch (HoldfastException e) {
            return backoff.backOff(e, null);
        }
    }

    /** Of what is to be handled now, be it new or parked: they are asked for together, if they are not known. */
    private Set<SequenceId> wantedSequences() {
        Set<SequenceId> wanted = backlog.openSequences();
        wanted.addAll(replays.next(context.settings().batch()));
        return wanted;
    }

    /** What cannot be parked does not keep the segment from coming to rest: whoever goes on with it reads it again. */
    private void abandonUnparkable() {
        if (stopping
                && overflow.isActive()
                && !hasRunningHandlers()
                && !commits.isCommitting()
                && replayAttempts.isEmpty()) {
            backlog.startOver(token());
            overflow.backlogAbandoned();
        }
    }

    /** It may be handled by now, or there may be room. */
    private void retryUnparkable() {
        if (!commits.isCommitting() && overflow.startRetryIfDue()) { // else it may be parked by then
            backlog.openTasks().stream()
                    .filter(task -> task.state() == HandlerTask.State.FAILED)
                    .filter(task -> overflow.isFull(task.component().id()))
                    .forEach(HandlerTask::restart);
        }
    }

    /** Whether a thread of the pool handles and commits, and works on what is kept here. */
    private boolean isInTransaction() {
        HandlerRun running = run;
        return running != null && context.writesApplicationRows() && !running.isFinished();
    }

    /** What comes of a run is committed together, unless that takes long. */
    private boolean isLingering() {
        HandlerRun running = run;
        return running != null && context.now().isBefore(running.startedAt().plus(BATCH_LINGER));
    }

    private boolean readFeeds(Map<String, StreamFeed> feeds) {
        boolean read = false;
        int share = Math.max(1, context.settings().batch() / feeds.size());
        int mostAhead = Math.max(ProcessorSettings.MAX_AHEAD, context.settings().batch());
        for (Map.Entry<String, StreamFeed> feed : feeds.entrySet()) {
            StreamPosition cursor = backlog.readPositions().get(feed.getKey());
            if (stopping || overflow.isActive() || cursor == null || backlog.size() >= mostAhead) {
                feed.getValue().removeSegment(number());
            } else if (backlog.openEvents() < context.settings().batch()) {
                read |= accept(feed.getValue().read(number(), cursor), share);
            }
        }
        return read;
    }

    private boolean accept(List<SequencedEvent> events, int share) {
        int most = backlog.size() + share;
        boolean read = false;
        for (SequencedEvent event : events) {
            Long limit = limits.get(event.event().stream());
            if (backlog.size() >= most || (limit != null && event.event().position() > limit)) {
                break;
            }
            backlog.add(event);
            read = true;
        }
        return read;
    }

    /** Lets handlers run, of new events and of letters that are due. */
    private void startHandlers() {
        if (run != null || (context.writesApplicationRows() && commits.isCommitting())) {
            return; // a transaction commits by itself, and not beside another unit
        }
        List<HandlerTask> tasks = new ArrayList<>(backlog.startable(parked::contains));
        int room = context.writesApplicationRows() ? commits.room() : Integer.MAX_VALUE;
        if (tasks.size() < room) {
            tasks.addAll(replayAttempts.startable(!stopping));
        }
        if (!tasks.isEmpty() && room > 0) {
            HandlerRun started = new HandlerRun(context, tasks.subList(0, Math.min(tasks.size(), room)));
            run = started;
            context.threads().execute(context.writesApplicationRows() ? () -> runInTransaction(started) : started::run);
        }
    }

    /** On a thread of the pool; nobody else touches this segment until it is over. */
    private void runInTransaction(HandlerRun running) {
        commits.prepareTransaction();
        try (UnitTransaction rows = context.stores().transactions().begin()) {
            running.callAll(rows);
            running.tasks().forEach(HandlerTask::refreshState);
            commits.commitIn(rows);
        } catch (Throwable e) {
            commits.failed(e); // whatever it is, the rows are gone
            UserFailures.throwIfFatal(e);
        } finally {
            running.finish();
        }
    }

    private void refreshTasks() {
        HandlerRun running = run;
        if (running != null) {
            boolean isOver = running.isFinished();
            running.refresh(isOver);
            run = isOver ? null : running;
        }
        backlog.openTasks().forEach(HandlerTask::refreshState);
        replayAttempts.refresh();
        timeOutAsyncHandlers();
    }

    /** An asynchronous handler that is too late has failed. A synchronous one cannot be stopped, and shows. */
    private void timeOutAsyncHandlers() {
        Duration timeout = context.settings().handlerTimeout();
        for (HandlerTask task : overdueTasks()) {
            if (task.thread() == null) {
                task.failIfRunning(new TimeoutException(
                        "the asynchronous handler of " + task.event().type() + " in "
                                + task.component().id() + " has not ended within " + timeout
                                + "; what it still says is refused"));
                task.refreshState();
            }
        }
    }

    /** What handlers have worked on for longer than they may. */
    private List<HandlerTask> overdueTasks() {
        if (backlog.isEmpty() && replayAttempts.isEmpty()) {
            return List.of(); // as for most segments at most times
        }
        Instant oldest = context.now().minus(context.settings().handlerTimeout());
        return Stream.concat(backlog.openTasks().stream(), replayAttempts.tasks().stream())
                .filter(task -> task.state() == HandlerTask.State.RUNNING)
                .filter(task -> {
                    Instant since = task.runningSince();
                    return since != null && since.isBefore(oldest);
                })
                .toList();
    }

    private Duration nextDelay() {
        Instant now = context.now();
        Duration wait = POLL_INTERVAL;
        if (!parked.isEmpty() && !stopping && run == null && !commits.isCommitting()) {
            wait = shorter(wait, now, parked.nextDue(now, context.policy().maxHold()));
            wait = replays.isWaiting() ? Duration.ZERO : wait;
        }
        if (overflow.isActive() && !commits.isCommitting()) {
            wait = shorter(wait, now, now.plus(overflow.untilRetry()));
        }
        if (run != null) {
            wait = shorter(wait, now, now.plus(BATCH_LINGER));
        }
        return wait;
    }

    private static Duration shorter(Duration wait, Instant now, Instant next) {
        if (!next.isBefore(now.plus(wait))) {
            return wait;
        }
        return next.isBefore(now) ? Duration.ZERO : Duration.between(now, next);
    }

    /** Positions between the newest events that are known and what is stored. */
    void updateLag(Map<String, Long> newest) {
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
                slowHandlers());
    }

    /** The synchronous handlers that have run for too long, with what they do. */
    private List<SlowHandler> slowHandlers() {
        List<SlowHandler> slow = new ArrayList<>();
        for (HandlerTask task : overdueTasks()) {
            Thread thread = task.thread();
            Instant since = task.runningSince();
            if (thread != null && since != null) {
                slow.add(SlowHandler.of(task, since, thread));
            }
        }
        return slow;
    }
}
