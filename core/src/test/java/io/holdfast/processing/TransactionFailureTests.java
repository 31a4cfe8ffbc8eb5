package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryTransactions;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** However a transaction ends, effects are never committed without their application rows. */
class TransactionFailureTests extends ProcessorScenario {

    private final List<String> rows = new ArrayList<>();
    private final List<String> called = new ArrayList<>();
    private boolean isFatal;

    private Component rowWriting() {
        return Component.named("copies")
                .rowsIn(store.transactions())
                .on(TextAdded.class, (event, context) -> {
                    context.resource(InMemoryTransactions.class).atCommit(() -> rows.add(event.text()));
                    copy(event, context);
                    if (isFatal && event.text().equals("3")) {
                        isFatal = false;
                        throw new OutOfMemoryError("for a moment");
                    }
                })
                .build();
    }

    private Component calling() {
        return Component.named("calls")
                .callsOutside()
                .on(TextAdded.class, (event, context) -> called.add(event.text()))
                .build();
    }

    @Test
    void losesNoRowsWhenAnErrorEndsTheThread() {
        appendInput("a", "1");
        EventProcessor processor = processor("copier", rowWriting());
        run(processor);
        appendInput("b", "2");
        appendInput("c", "3");
        isFatal = true;

        assertThatThrownBy(() -> run(processor)).isInstanceOf(OutOfMemoryError.class);
        runFor(Duration.ofSeconds(10), processor);

        assertThat(rows).containsExactlyInAnyOrder("1", "2", "3");
        assertThat(output()).containsExactlyInAnyOrder("1", "2", "3");
    }

    @Test
    void doesNotRepeatHandlersThatWriteNoRows() {
        appendInput("a", "1");
        appendInput("b", "2");
        rejected.add("2");
        EventProcessor processor =
                processor("copier", builder -> builder.startsAt(StartAt.BEGINNING), rowWriting(), calling());

        run(processor);

        assertThat(rows).containsExactly("1");
        assertThat(parkedTexts("b")).containsExactly("2");
        assertThat(called).containsExactlyInAnyOrder("1", "2");
    }
}
