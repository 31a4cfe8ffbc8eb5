package io.holdfast.tck.simulation;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.EventMessage;
import io.holdfast.handling.AsyncHandler;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.Handler;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Withdrawn;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.ScriptedBreakers;
import io.holdfast.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * The components of the sink, which record every event that they handle. The ledger, behind a breaker, appends events
 * per account and updates a row with the total. The audit handles some of the same events, some of them asynchronously,
 * and appends its own events. The journal writes only rows, so nothing but the position prevents duplicates there. The
 * archive, which only later versions have, copies every event.
 */
final class Mirror {

    static final String REMARKS = "remarks";
    static final AggregateType<Copied> LEDGER = copies("ledger");
    static final AggregateType<Copied> AUDIT = copies("audit");
    static final AggregateType<Copied> ARCHIVE = copies("archive");
    static final View<Total> TOTALS = new View<>("totals", Total.class);
    static final View<Entries> JOURNAL = new View<>("journal", Entries.class);

    private static final String BREAKER = "bank";

    private final IntSupplier generation;
    private final List<CompletableFuture<Void>> pendingStages = new ArrayList<>();
    private int failuresLeft;
    private boolean failsPermanently;
    private int rejectionsLeft;
    private boolean isBreakerOpen;
    private boolean completesImmediately;

    /** @param generation the stored generation of the processor */
    Mirror(IntSupplier generation) {
        this.generation = generation;
    }

    /** Makes the next handlers throw. */
    void failNext(int times, boolean permanently) {
        failuresLeft = times;
        failsPermanently = permanently;
    }

    /** Makes the next decisions throw. */
    void rejectNext(int times) {
        rejectionsLeft = times;
    }

    /** Opens or closes the breaker of the ledger. */
    void setBreakerOpen(boolean open) {
        isBreakerOpen = open;
    }

    /** Completes one of the pending asynchronous handlers, if there is one. */
    void completeOne(int which, boolean fails) {
        if (pendingStages.isEmpty()) {
            return;
        }
        CompletableFuture<Void> stage = pendingStages.remove(which % pendingStages.size());
        if (fails) {
            stage.completeExceptionally(new IllegalStateException("scripted failure of an asynchronous handler"));
        } else {
            stage.complete(null);
        }
    }

    /** Ends all failures and completes all pending handlers. */
    void heal() {
        failuresLeft = 0;
        rejectionsLeft = 0;
        isBreakerOpen = false;
        completesImmediately = true;
        while (!pendingStages.isEmpty()) {
            completeOne(0, false);
        }
    }

    /** Returns the components of a version. */
    List<Component> components(SinkVersion version) {
        return Stream.of(ledger(version), audit(version), journal(version), archive(version))
                .filter(component -> version.has(component.name()))
                .toList();
    }

    private Component ledger(SinkVersion version) {
        return new Handlers("ledger", version)
                .on(Deposited.class, (event, context) -> postToLedger(context, event.amount()))
                .on(Withdrawn.class, (event, context) -> postToLedger(context, -event.amount()))
                .builder()
                .guardedBy(BREAKER)
                .build();
    }

    private Component audit(SinkVersion version) {
        return new Handlers("audit", version)
                .onAsync(Deposited.class, (event, context) -> copyAsync(context))
                .onAsync(Noted.class, (event, context) -> copyAsync(context))
                .onAsync(Withdrawn.class, (event, context) -> copyAsync(context))
                .builder()
                .build();
    }

    private Component journal(SinkVersion version) {
        return new Handlers("journal", version)
                .on(Deposited.class, (event, context) -> addToJournal(context))
                .on(Withdrawn.class, (event, context) -> addToJournal(context))
                .builder()
                .build();
    }

    private Component archive(SinkVersion version) {
        return new Handlers("archive", version)
                .on(Deposited.class, (event, context) -> copyToArchive(context))
                .on(Withdrawn.class, (event, context) -> copyToArchive(context))
                .on(Noted.class, (event, context) -> copyToArchive(context))
                .builder()
                .build();
    }

    /** Returns the breakers of one replica. */
    ScriptedBreakers breakers() {
        return new ScriptedBreakers(() -> isBreakerOpen);
    }

    private void postToLedger(EventContext context, long amount) {
        maybeFail();
        copy(LEDGER, context);
        String event = context.event().id().toString();
        context.update(TOTALS, context.event().key(), total -> {
            Posting posting = new Posting(event, generation.getAsInt(), amount, 1);
            return total == null ? new Total(List.of(posting)) : total.plus(posting);
        });
    }

    /** The stored generation is that of the unit: if it had changed, the unit could not commit. */
    private void addToJournal(EventContext context) {
        maybeFail();
        EventMessage event = context.event();
        context.update(JOURNAL, event.key(), entries -> {
            Entry entry = new Entry(event.id().toString(), generation.getAsInt(), event.version());
            return entries == null ? new Entries(List.of(entry)) : entries.plus(entry);
        });
    }

    /** Copies the event. Every third handler stays pending until a step completes it, even after its timeout. */
    private CompletionStage<?> copyAsync(EventContext context) {
        maybeFail();
        copy(AUDIT, context);
        CompletableFuture<Void> stage = new CompletableFuture<>();
        if (completesImmediately || context.event().version() % 3 != 1) {
            stage.complete(null);
        } else {
            pendingStages.add(stage);
        }
        return stage;
    }

    private void copyToArchive(EventContext context) {
        maybeFail();
        copy(ARCHIVE, context);
    }

    private void copy(AggregateType<Copied> type, EventContext context) {
        EventMessage event = context.event();
        context.decide(decision -> {
            if (rejectionsLeft > 0) {
                rejectionsLeft--;
                throw new IllegalStateException("scripted failure of a decision");
            }
            decision.append(
                    type,
                    event.stream() + "." + event.key(),
                    new Copied(event.id().toString(), event.version()));
        });
    }

    private void maybeFail() {
        if (failuresLeft > 0) {
            failuresLeft--;
            throw failsPermanently
                    ? new PermanentException("scripted permanent failure of a handler")
                    : new IllegalStateException("scripted failure of a handler");
        }
    }

    private static AggregateType<Copied> copies(String stream) {
        return AggregateType.of(stream, Copied.class, new Copied("", 0))
                .on(Copied.class, (last, copied) -> copied)
                .snapshotEvery(3)
                .build();
    }

    /** Adds those handlers to a component that a version has. */
    private record Handlers(String component, SinkVersion version, Component.Builder builder) {

        Handlers(String component, SinkVersion version) {
            this(component, version, Component.named(component).resettable());
        }

        <E> Handlers on(Class<E> type, Handler<E> handler) {
            if (version.handles(component, type.getSimpleName())) {
                builder.on(type, handler);
            }
            return this;
        }

        <E> Handlers onAsync(Class<E> type, AsyncHandler<E> handler) {
            if (version.handles(component, type.getSimpleName())) {
                builder.onAsync(type, handler);
            }
            return this;
        }
    }

    /** Records that an event of the source was handled. */
    record Copied(String eventId, long version) {}

    /** The postings of an account according to the sink. A reset replaces them, one by one. */
    record Total(List<Posting> postings) {

        Total plus(Posting posting) {
            List<Posting> next = new ArrayList<>();
            Posting added = posting;
            for (Posting known : postings) {
                if (!known.event().equals(posting.event())) {
                    next.add(known);
                } else if (known.generation() == posting.generation()) {
                    added = new Posting(posting.event(), posting.generation(), posting.amount(), known.times() + 1);
                }
            }
            next.add(added);
            return new Total(next);
        }
    }

    /**
     * Records that an event of an account changed its balance.
     *
     * @param times how often it did in this generation
     */
    record Posting(String event, int generation, long amount, int times) {}

    /** Records that an event of an account was handled. */
    record Entry(String event, int generation, long version) {}

    /** The handled events of an account, in the order in which they were handled. */
    record Entries(List<Entry> all) {

        Entries plus(Entry next) {
            return new Entries(Stream.concat(all.stream(), Stream.of(next)).toList());
        }
    }
}
