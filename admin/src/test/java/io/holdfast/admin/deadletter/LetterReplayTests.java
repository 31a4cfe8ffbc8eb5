package io.holdfast.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.RetryableException;
import io.holdfast.admin.component.ManagedComponent;
import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.admin.component.ServiceComponents.EntryReference;
import io.holdfast.admin.deadletter.ReplayResult.Status;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.eventsourcing.Command;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LetterReplayTests {

    private static final AggregateType<Ordered> ORDER = AggregateType.of("orders", Ordered.class, new Ordered(0))
            .on(Ordered.class, (last, ordered) -> ordered)
            .build();

    private final HoldfastService service = HoldfastService.named(
                    "warehouse", new InMemoryStore("warehouse", Clock.systemUTC()), new InMemoryWire())
            .owns("orders")
            .processor("shipping", processor -> processor
                    .reads("elsewhere")
                    .calls(Component.named("packing")
                            .on(Ordered.class, (ordered, context) -> {})
                            .build()))
            .start();

    private final ManagedComponent packing =
            new ServiceComponents(service).requireComponents("packing").get(0);

    @AfterEach
    void close() {
        service.close();
    }

    @Test
    void isRetryableIfTheProcessorHasNotNoticedTheLetterYet() {
        EventMessage event = park();

        assertThatThrownBy(() -> replay(event, true).await(Duration.ofSeconds(1)))
                .isInstanceOf(RetryableException.class)
                .hasMessage("the processor has not yet noticed that event " + event.id()
                        + " is parked; no attempt was made, repeat the request");
    }

    @Test
    void hasFailedIfTheLetterIsStillParkedAfterAnAttempt() {
        EventMessage event = park();

        assertThat(replay(event, false).await(Duration.ofSeconds(1)).status()).isEqualTo(Status.FAILED_AGAIN);
    }

    private EventMessage park() {
        service.commands().execute(Command.once(Clock.systemUTC()), ORDER, "1", order -> List.of(new Ordered(1)));
        EventMessage event = service.commands().history(ORDER, "1", 0, 1).get(0);
        packing.queue().enqueue("orders/1", event, Cause.of(new IllegalStateException("no box")));
        return event;
    }

    private LetterReplay replay(EventMessage event, boolean drained) {
        ParkedSequence sequence = service.deadLetters()
                .find(new SequenceId(packing.id(), "orders/1"))
                .orElseThrow();
        return new LetterReplay(
                new Departures(),
                new EntryReference(packing, event.id()),
                sequence,
                0,
                CompletableFuture.completedFuture(drained));
    }

    record Ordered(int number) {}
}
