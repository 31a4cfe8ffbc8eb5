package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.Cause;
import io.holdfast.event.Metadata;
import io.holdfast.event.UnsupportedHereException;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A handler's decision meets a key with an event of another version: only that event waits. */
class UnsupportedKeyTests extends ProcessorScenario {

    private static final AggregateType<Text> NEW_OUTPUT = AggregateType.of("output", Text.class, new Text(""))
            .on(TextAdded.class, (text, event) -> new Text(event.text()))
            .on(TextLocked.class, (text, event) -> text)
            .build();

    @Test
    void parksOnlyTheEventThatNeedsTheKey() {
        lockWithNewVersion("a");
        appendInput("a", "a1", "a2");
        appendInput("b", "b1");
        appendInput("c", "c1");

        EventProcessor processor = processor("copier", copying());
        run(processor);

        assertThat(output("b")).containsExactly("b1");
        assertThat(output("c")).containsExactly("c1");
        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        Cause cause = Objects.requireNonNull(letters("a").get(0).cause());
        assertThat(cause.type()).isEqualTo(UnsupportedHereException.class.getName());
        assertThat(cause.message()).contains("event 1 of output/a has type TextLocked");
        assertThat(position(processor)).isEqualTo(5);
        assertThat(handled).as("no handler runs twice").doesNotHaveDuplicates();
    }

    private void lockWithNewVersion(String key) {
        GroupCommitter newVersion = newCommitter();
        var locked = newVersion.submit(CommitUnit.of(Part.of(
                new PartId(UUID.randomUUID(), "test"),
                Metadata.none(),
                context -> context.append(NEW_OUTPUT, key, new TextLocked()))));
        newVersion.commitWaiting();
        locked.join();
    }

    record TextLocked() {}
}
