package io.holdfast.tck.simulation;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.event.EventMessage;
import io.holdfast.processing.Component;
import io.holdfast.processing.EventContext;
import io.holdfast.tck.Accounts.Deposited;
import io.holdfast.tck.Accounts.Withdrawn;
import io.holdfast.tck.Noted;
import io.holdfast.view.View;
import java.util.List;

/**
 * The sink's components. Whatever they see they write down: one as events per account and a row with the total, another,
 * which sees some of the same events, as events of its own.
 */
final class Mirror {

    static final String REMARKS = "remarks";
    static final AggregateType<Copied> LEDGER = copies("ledger");
    static final AggregateType<Copied> AUDIT = copies("audit");
    static final View<Total> TOTALS = new View<>("totals", Total.class);

    private int failuresLeft;

    void failNext(int times) {
        failuresLeft = times;
    }

    List<Component> components() {
        return List.of(
                Component.named("ledger")
                        .on(Deposited.class, (event, context) -> book(context, event.amount()))
                        .on(Withdrawn.class, (event, context) -> book(context, -event.amount()))
                        .build(),
                Component.named("audit")
                        .on(Deposited.class, (event, context) -> copy(AUDIT, context))
                        .on(Noted.class, (event, context) -> copy(AUDIT, context))
                        .build());
    }

    private void book(EventContext context, long amount) {
        mayFail();
        copy(LEDGER, context);
        context.update(
                TOTALS,
                context.event().key(),
                total -> total == null ? new Total(amount, 1) : new Total(total.amount() + amount, total.events() + 1));
    }

    private static void copy(AggregateType<Copied> type, EventContext context) {
        EventMessage event = context.event();
        context.decide(decision -> decision.append(
                type, event.stream() + "." + event.key(), new Copied(event.id().toString(), event.sequence())));
    }

    private void mayFail() {
        if (failuresLeft > 0) {
            failuresLeft--;
            throw new IllegalStateException("a handler fails, as told");
        }
    }

    private static AggregateType<Copied> copies(String stream) {
        return AggregateType.of(stream, Copied.class, new Copied("", 0))
                .on(Copied.class, (last, copied) -> copied)
                .snapshotEvery(3)
                .build();
    }

    /** An event of the source was seen. */
    record Copied(String eventId, long sequence) {}

    /** What an account has, by the sink's books. */
    record Total(long amount, long events) {}
}
