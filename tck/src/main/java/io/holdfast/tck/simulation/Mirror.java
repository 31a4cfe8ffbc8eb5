package io.holdfast.tck.simulation;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.EventMessage;
import io.holdfast.processing.Component;
import io.holdfast.processing.EventContext;
import io.holdfast.resilience.AdmittedCall;
import io.holdfast.resilience.Breakers;
import io.holdfast.tck.Accounts.Deposited;
import io.holdfast.tck.Accounts.Withdrawn;
import io.holdfast.tck.Noted;
import io.holdfast.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * The sink's components. Whatever they see they write down: the ledger as events per account and a row with the total,
 * behind a breaker; the audit, which sees some of the same events, as events of its own, and some of them later; the
 * journal only as rows, which nothing but the position keeps from being written twice.
 */
final class Mirror {

    static final String REMARKS = "remarks";
    static final AggregateType<Copied> LEDGER = copies("ledger");
    static final AggregateType<Copied> AUDIT = copies("audit");
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

    /** @param generation of the processor, as it is stored */
    Mirror(IntSupplier generation) {
        this.generation = generation;
    }

    /** The next handlers throw. */
    void failNext(int times, boolean forGood) {
        failuresLeft = times;
        failsPermanently = forGood;
    }

    /** The next decisions throw. */
    void rejectNext(int times) {
        rejectionsLeft = times;
    }

    /** The ledger's breaker opens or closes. */
    void setBreakerOpen(boolean open) {
        isBreakerOpen = open;
    }

    /** One of the asynchronous handlers that wait ends. */
    void completeOne(int which, boolean fails) {
        if (pendingStages.isEmpty()) {
            return;
        }
        CompletableFuture<Void> end = pendingStages.remove(which % pendingStages.size());
        if (fails) {
            end.completeExceptionally(new IllegalStateException("an asynchronous handler fails, as told"));
        } else {
            end.complete(null);
        }
    }

    /** From here on nothing goes wrong any more. */
    void heal() {
        failuresLeft = 0;
        rejectionsLeft = 0;
        isBreakerOpen = false;
        completesImmediately = true;
        while (!pendingStages.isEmpty()) {
            completeOne(0, false);
        }
    }

    List<Component> components() {
        return List.of(
                Component.named("ledger")
                        .on(Deposited.class, (event, context) -> postToLedger(context, event.amount()))
                        .on(Withdrawn.class, (event, context) -> postToLedger(context, -event.amount()))
                        .guardedBy(BREAKER)
                        .resettable()
                        .build(),
                Component.named("audit")
                        .onAsync(Deposited.class, (event, context) -> copyAsync(context))
                        .onAsync(Noted.class, (event, context) -> copyAsync(context))
                        .resettable()
                        .build(),
                Component.named("journal")
                        .on(Deposited.class, (event, context) -> addToJournal(context))
                        .on(Withdrawn.class, (event, context) -> addToJournal(context))
                        .resettable()
                        .build());
    }

    Breakers breakers() {
        return new Breakers() {
            @Override
            public AdmittedCall admit(String name) {
                if (isBreakerOpen) {
                    throw new IllegalStateException("breaker " + name + " is open, as told");
                }
                return AdmittedCall.NONE;
            }

            @Override
            public boolean isClosed(String name) {
                return !isBreakerOpen;
            }
        };
    }

    private void postToLedger(EventContext context, long amount) {
        maybeFail();
        copy(LEDGER, context);
        context.update(
                TOTALS,
                context.event().key(),
                total -> total == null ? new Total(amount, 1) : new Total(total.amount() + amount, total.events() + 1));
    }

    /** The generation is that of the unit: were it another by then, the unit could not be committed. */
    private void addToJournal(EventContext context) {
        maybeFail();
        long sequence = context.event().version();
        context.update(JOURNAL, context.event().key(), entries -> {
            Entry entry = new Entry(generation.getAsInt(), sequence);
            return entries == null ? new Entries(List.of(entry)) : entries.plus(entry);
        });
    }

    /** Every third one ends when it is told to, be it too late. */
    private CompletionStage<?> copyAsync(EventContext context) {
        maybeFail();
        copy(AUDIT, context);
        CompletableFuture<Void> end = new CompletableFuture<>();
        if (completesImmediately || context.event().version() % 3 != 1) {
            end.complete(null);
        } else {
            pendingStages.add(end);
        }
        return end;
    }

    private void copy(AggregateType<Copied> type, EventContext context) {
        EventMessage event = context.event();
        context.decide(decision -> {
            if (rejectionsLeft > 0) {
                rejectionsLeft--;
                throw new IllegalStateException("a decision fails, as told");
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
                    ? new PermanentException("a handler fails for good, as told")
                    : new IllegalStateException("a handler fails, as told");
        }
    }

    private static AggregateType<Copied> copies(String stream) {
        return AggregateType.of(stream, Copied.class, new Copied("", 0))
                .on(Copied.class, (last, copied) -> copied)
                .snapshotEvery(3)
                .build();
    }

    /** An event of the source was seen. */
    record Copied(String eventId, long version) {}

    /** What an account has, by the sink's books. */
    record Total(long amount, long events) {}

    /** An event of an account was handled. */
    record Entry(int generation, long version) {}

    /** The events of an account that were handled, in the order in which they were. */
    record Entries(List<Entry> all) {

        Entries plus(Entry next) {
            return new Entries(Stream.concat(all.stream(), Stream.of(next)).toList());
        }
    }
}
