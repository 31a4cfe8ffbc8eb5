package io.holdfast.commit.group;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.aggregate.state.AggregateState;
import io.holdfast.commit.EventDraft;
import io.holdfast.deadline.ScheduledDeadlines;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs the decisions and row updates of one part on top of the layer below, and collects its events. */
final class PartDecider implements DecisionContext {

    private final Part part;
    private final CommitterSettings settings;
    private final PayloadCodec codec;
    private final DecisionTimes times;
    private final AppendInterceptor interceptor;
    private final Overlay overlay;
    private final List<EventDraft> drafts = new ArrayList<>();
    private final ScheduledDeadlines deadlines;
    private @Nullable UnsupportedHereException unsupported;

    PartDecider(
            Part part,
            CommitterSettings settings,
            PayloadCodec codec,
            DecisionTimes times,
            AppendInterceptor interceptor,
            StateLayer below) {
        this.part = part;
        this.settings = settings;
        this.codec = codec;
        this.times = times;
        this.interceptor = interceptor;
        this.overlay = new Overlay(below);
        this.deadlines = new ScheduledDeadlines(
                part.id().cause(), part.id().component(), part.context(), codec, times.deadlines(), this);
    }

    void run() {
        for (Decision decision : part.decisions()) {
            decision.decide(this);
        }
        if (unsupported != null) {
            throw unsupported; // even if a decision caught it: it has decided without the state
        }
        part.rowUpdates().forEach(this::apply);
    }

    /**
     * Applies only the row updates, because the part's events exist.
     *
     * @param stored the events, empty if they are not committed yet
     */
    void runAgain(List<EventMessage> stored) {
        if (!stored.isEmpty()) {
            new RepeatedDecisions(part, codec, times.now()).requireSame(stored);
        }
        part.rowUpdates().forEach(this::apply);
    }

    Overlay overlay() {
        return overlay;
    }

    List<EventDraft> drafts() {
        return drafts;
    }

    @Override
    public <S> S state(AggregateType<S> type, String key) {
        return load(type, key).state();
    }

    @Override
    public long version(AggregateType<?> type, String key) {
        return load(type, key).version();
    }

    private <S> AggregateState<S> load(AggregateType<S> type, String key) {
        try {
            return overlay.state(type, key);
        } catch (UnsupportedHereException e) {
            unsupported = e;
            throw e;
        }
    }

    @Override
    public <S> UUID append(AggregateType<S> type, String key, Object event, Metadata metadata) {
        settings.checkOwned(type.stream());
        Payload payload = codec.encode(event);
        // Evolves by the encoded payload, so an event that cannot be decoded is rejected now and not when it is loaded.
        UUID id = part.id().eventId(drafts.size());
        AggregateState<S> next = load(type, key).append(id, payload, codec);
        EventDraft draft = new EventDraft(
                id,
                settings.service(),
                new AggregateKey(type.stream(), key),
                next.version(),
                times.now(),
                interceptor.complete(payload.type(), metadata.withDefaults(part.context())),
                payload);
        drafts.add(draft);
        overlay.put(next);
        interceptor.appended(draft, this);
        return id;
    }

    @Override
    @SuppressWarnings("unchecked") // the row was decoded as the view's row type
    public <R> @Nullable R row(View<R> view, String key) {
        return (R) load(view, new RowKey(view.name(), key)).value();
    }

    @Override
    public <R> void put(View<R> view, String key, @Nullable R row) {
        change(view, new RowKey(view.name(), key), unused -> row);
    }

    @Override
    public void schedule(String name, String key, Duration delay, Object event) {
        deadlines.schedule(name, key, delay, event);
    }

    @Override
    public void schedule(String name, String key, Instant dueAt, Object event) {
        deadlines.schedule(name, key, dueAt, event);
    }

    @Override
    public void cancel(String name, String key) {
        deadlines.cancel(name, key);
    }

    private Overlay.DecidedRow load(View<?> view, RowKey key) {
        try {
            return overlay.row(view, key);
        } catch (UnsupportedHereException e) {
            unsupported = e;
            throw e;
        }
    }

    @Override
    public Instant now() {
        return times.now();
    }

    private <R> void apply(RowUpdate<R> update) {
        change(update.view(), update.rowKey(), update.change());
    }

    @SuppressWarnings("unchecked") // the row was decoded as the view's row type
    private <R> void change(View<R> view, RowKey key, UnaryOperator<@Nullable R> change) {
        Overlay.DecidedRow row = load(view, key);
        R changed = change.apply((R) row.value());
        if (view.hasCache() && Objects.equals(row.value(), changed)) {
            return; // its rows are immutable
        }
        Overlay.DecidedRow next = row.changedTo(changed, codec);
        if (!Objects.equals(row.encoded(), next.encoded())) { // encoded: a row changed in place equals itself
            overlay.put(key, next);
        }
    }

    /**
     * @param now the timestamp of the events
     * @param deadlines the time on the deadline clock
     */
    record DecisionTimes(Instant now, Instant deadlines) {}
}
