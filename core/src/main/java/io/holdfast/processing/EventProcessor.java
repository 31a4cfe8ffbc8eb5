package io.holdfast.processing;

import io.holdfast.HoldfastException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.Committer;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.UnitOutcome;
import io.holdfast.event.EventMessage;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.Segment;
import io.holdfast.token.SegmentLease;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamBrokenException;
import io.holdfast.wire.StreamSource;
import io.holdfast.worker.UserFailures;
import io.holdfast.worker.Worker;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A named consumer: reads streams, hands each event to its components, and commits their effects together with the
 * position. What is at or below the position has been dealt with, for ever: that is the de-duplication.
 *
 * <p>An event that cannot be handled holds the processor, loudly and with back-off; what came before it is committed, and
 * nothing is skipped.
 *
 * <p>One {@link #step} does one batch and never blocks for the committer. For one thread; {@link #status} and
 * {@link #wake} for any.
 */
public final class EventProcessor {

    private static final Duration POLL = Duration.ofSeconds(1);
    /** Services start in any order; the one that is first asks again soon. */
    private static final Duration ASK_SOURCE_AGAIN = Duration.ofMillis(200);

    private final Map<String, StreamSource> streams;
    private final Handlers handlers;
    private final StartAt start;
    private final int batch;
    private final Segment segment;
    private final TokenStore tokens;
    private final Committer committer;
    private final SegmentLease lease;
    private final ProcessorHold hold;
    private final StoppedStreams stopped;
    private final HandledEvents handled = new HandledEvents();
    private final Queue<RestoreAcceptance> acceptances = new ConcurrentLinkedQueue<>();

    private @Nullable TokenClaim workingUnder;
    private @Nullable Token token;
    private @Nullable CompletableFuture<UnitOutcome> committing;
    private boolean waitsForSource;
    private int submitted;
    private Map<String, StreamPosition> reaching = Map.of();
    private int maxSubmit;
    private volatile boolean claimed;
    private volatile Map<String, StreamPosition> positions = Map.of();
    private volatile @Nullable Worker worker;

    EventProcessor(EventProcessorBuilder builder) {
        this.streams = Collections.unmodifiableMap(new LinkedHashMap<>(builder.streams));
        this.handlers = new Handlers(builder.service, builder.name, builder.components, builder.codec);
        this.start = builder.start;
        this.batch = builder.batch;
        this.maxSubmit = builder.batch;
        this.segment = new Segment(builder.name, 0);
        this.tokens = builder.tokens;
        this.committer = builder.committer;
        Clock clock = builder.clock;
        this.lease = new SegmentLease(tokens, segment, builder.owner, SegmentLease.DEFAULT_LEASE, clock);
        this.hold = new ProcessorHold(builder.service + "/" + builder.name, clock);
        this.stopped = new StoppedStreams(builder.service + "/" + builder.name, clock);
    }

    /** Runs on a thread of its own until the worker is closed. */
    public Worker start() {
        streams.values().stream().distinct().forEach(source -> source.onAnswer(this::wake));
        Worker started = Worker.start("holdfast-processor-" + segment, this::step);
        worker = started;
        started.wake(); // what came while nobody could be woken
        return started;
    }

    /**
     * Does what can be done now: takes the committer's answer, or hands the next batch to it.
     *
     * @return how long to wait, unless woken, before the next step
     */
    public Duration step() {
        try {
            if (takeAnswer()) {
                return next();
            }
            gatherAhead();
            return POLL;
        } catch (HoldfastException e) {
            return hold.because(e, null);
        }
    }

    public ProcessorStatus status() {
        return new ProcessorStatus(claimed, positions, hold.event(), hold.failures(), hold.error(), stopped.reasons());
    }

    /**
     * Accepts, for an operator, that a restored source has forgotten what this processor had read of a stream: it goes on
     * from where the restore left the stream. The effects of what was forgotten stay.
     *
     * @return what was accepted, when it is durable; it fails if there is nothing to accept
     */
    public CompletableFuture<AcceptedRestore> acceptRestore(String stream) {
        RestoreAcceptance acceptance = new RestoreAcceptance(stream);
        StreamSource source = streams.get(stream);
        if (source == null) {
            acceptance.fail("processor " + segment.consumer() + " does not read stream " + stream);
        } else {
            acceptances.add(acceptance);
            wake();
        }
        return acceptance.answer();
    }

    /** Makes the next step come at once: something may have arrived. */
    public void wake() {
        Worker running = worker;
        if (running != null) {
            running.wake();
        }
    }

    /** Gives the segment back; to be called when no step runs. What was handled and not committed is handled again. */
    public void release() {
        lease.release();
        forget();
    }

    private Duration next() {
        Duration held = hold.remaining();
        if (!held.isZero() && acceptances.isEmpty()) {
            return keepLease(held);
        }
        if (token == null || waitsForSource) {
            initialize();
        }
        Optional<TokenClaim> claim = claim();
        if (claim.isEmpty()) {
            return lease.retryAfter();
        }
        Token current = loaded();
        if (handled.isEmpty() && accept(claim.get(), current)) {
            return POLL;
        }
        if (handled.isEmpty()) {
            gather(current);
        } else if (hold.isFor(handled.first())) {
            handleFirstAgain();
        }
        if (!handled.isEmpty()) {
            submit(Math.min(handled.size(), maxSubmit), claim.get(), current);
            return Duration.ZERO; // to handle what comes next meanwhile
        }
        Duration unheld = waitsForSource ? ASK_SOURCE_AGAIN : POLL;
        return hold.remaining().isZero() ? unheld : hold.remaining();
    }

    /**
     * Only streams that the token lacks are resolved: a start is decided once. One whose source does not answer waits, and
     * the others go on without it.
     */
    private void initialize() {
        Map<String, StreamPosition> known =
                tokens.find(segment).map(Token::positions).orElse(Map.of());
        Map<String, StreamPosition> missing = new HashMap<>();
        waitsForSource = false;
        streams.forEach((stream, source) -> {
            if (!known.containsKey(stream)) {
                source.start(stream, start)
                        .ifPresentOrElse(position -> missing.put(stream, position), () -> waitForSource(stream));
            }
        });
        if (!waitsForSource) {
            hold.endWait();
        }
        if (known.isEmpty() || !missing.isEmpty()) {
            tokens.initialize(segment, missing);
        }
        token = null; // another replica may have added streams too
    }

    private void waitForSource(String stream) {
        if (!waitsForSource) {
            hold.waitFor("the source of stream " + stream + " does not answer yet");
        }
        waitsForSource = true;
    }

    private Optional<TokenClaim> claim() {
        Optional<TokenClaim> claim = lease.hold();
        if (claim.isEmpty()) {
            forget();
        } else if (!claim.get().equals(workingUnder)) {
            forgetWork(); // another may have had the segment in between
        }
        workingUnder = claim.orElse(null);
        claimed = claim.isPresent();
        return claim;
    }

    /** A hold may be longer than a lease; the segment is not to go round between replicas for it. */
    private Duration keepLease(Duration held) {
        if (token != null && claim().isEmpty()) {
            return lease.retryAfter();
        }
        return held.compareTo(lease.retryAfter()) < 0 ? held : lease.retryAfter();
    }

    private Token loaded() {
        Token current = token;
        if (current == null) {
            current = tokens.find(segment).orElseThrow();
            hold.endIfDealtWith(current.positions());
        }
        token = current;
        positions = current.positions();
        return current;
    }

    private void gather(Token from) {
        int share = Math.max(1, batch / streams.size());
        for (Map.Entry<String, StreamSource> entry : streams.entrySet()) {
            StreamPosition after = from.positions().get(entry.getKey());
            if (after == null || stopped.isStopped(entry.getKey())) {
                continue; // its source has not answered yet, or cannot give what comes next
            }
            for (EventMessage event : read(entry.getKey(), entry.getValue(), after, share)) {
                if (!handle(event)) {
                    return;
                }
            }
        }
    }

    /** While the committer writes one batch, the next is handled; its effects are only collected. */
    private void gatherAhead() {
        Token from = token;
        if (from == null
                || handled.size() != submitted
                || submitted == 0
                || !acceptances.isEmpty() // an acceptance waits until nothing is handled and not committed
                || !hold.remaining().isZero()) {
            return;
        }
        Map<String, StreamPosition> reached = new HashMap<>(from.positions());
        reached.putAll(handled.reached(submitted));
        gather(new Token(segment, from.version(), reached));
    }

    private List<EventMessage> read(String stream, StreamSource source, StreamPosition after, int limit) {
        try {
            List<EventMessage> events = source.read(stream, after, limit);
            if (!events.isEmpty()) { // nothing may mean that the source was only asked
                stopped.goOn(stream);
            }
            return events;
        } catch (StreamBrokenException e) {
            stopped.stop(stream, e);
            return List.of();
        }
    }

    private boolean handle(EventMessage event) {
        try {
            handled.add(handlers.handle(event));
            return true;
        } catch (Throwable e) {
            hold.because(UserFailures.survivable(e), event);
            return false;
        }
    }

    private void handleFirstAgain() {
        EventMessage event = handled.first();
        try {
            handled.replaceFirst(handlers.handle(event));
        } catch (Throwable e) {
            handled.clear();
            hold.because(UserFailures.survivable(e), event);
        }
    }

    /** @return whether an acceptance is on its way to the committer */
    private boolean accept(TokenClaim claim, Token current) {
        RestoreAcceptance next = acceptances.peek();
        if (next == null) {
            return false;
        }
        StreamPosition stoodAt = current.positions().get(next.stream());
        StreamSource source = Objects.requireNonNull(streams.get(next.stream()));
        if (next.isAnsweredWithout(source, stoodAt)) {
            acceptances.remove();
            return false;
        }
        Optional<StreamPosition> goesOnFrom = next.goesOnFrom();
        if (goesOnFrom.isEmpty()) {
            return false; // its source does not answer; asked again with the next step
        }
        Map<String, StreamPosition> changed = Map.of(next.stream(), goesOnFrom.get());
        submit(0, changed, CommitUnit.of(List.of(), new TokenAdvance(claim, current.version(), changed)));
        return true;
    }

    private void submit(int count, TokenClaim claim, Token current) {
        submit(count, handled.reached(count), handled.unit(count, claim, current));
    }

    private void submit(int count, Map<String, StreamPosition> reached, CommitUnit unit) {
        submitted = count;
        reaching = reached;
        CompletableFuture<UnitOutcome> answer = committer.submit(unit);
        committing = answer;
        var unused = answer.whenComplete((outcome, failure) -> wake());
    }

    /** @return false while the committer has not answered */
    private boolean takeAnswer() {
        CompletableFuture<UnitOutcome> answer = committing;
        if (answer == null) {
            return true;
        }
        if (!answer.isDone()) {
            return false;
        }
        committing = null;
        try {
            take(answer.join());
        } catch (CompletionException e) {
            take(e.getCause() == null ? e : e.getCause());
        }
        return true;
    }

    private void take(UnitOutcome outcome) {
        if (outcome instanceof UnitOutcome.HandedBack handedBack) {
            int before = handled.countBefore(handedBack.failures().keySet());
            Throwable failure = handedBack.failures().values().iterator().next();
            handBack(before, failure);
            return;
        }
        Map<String, StreamPosition> reached = new HashMap<>(loaded().positions());
        reached.putAll(reaching);
        token = new Token(segment, loaded().version() + 1, reached);
        positions = reached;
        hold.endIfPast(reached);
        if (submitted == 0) {
            stopped.goOn(acceptances.element().stream());
            acceptances.remove().complete();
        }
        handled.committed(submitted);
        maxSubmit = batch;
    }

    /** What stands before the event at fault is committed without it; then that event holds the processor. */
    private void handBack(int before, Throwable failure) {
        if (before > 0) {
            maxSubmit = before;
        } else {
            maxSubmit = batch;
            hold.because(failure, handled.first());
        }
    }

    private void take(Throwable failure) {
        if (failure instanceof StaleTokenException || failure instanceof RetryableException || submitted == 0) {
            forget(); // another may have it, or it may be committed: the stored token knows
            hold.because(failure, null);
        } else if (submitted > 1) {
            maxSubmit = submitted / 2; // one of them cannot be written; the others shall not wait for it
        } else {
            hold.because(failure, handled.first());
        }
    }

    private void forget() {
        forgetWork();
        claimed = false;
        lease.lose();
    }

    private void forgetWork() {
        token = null;
        handled.clear();
        maxSubmit = batch;
    }
}
