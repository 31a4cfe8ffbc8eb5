package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.handling.Component;
import io.holdfast.handling.Projection;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Updates of one row in one batch, from two segments and from two replicas: none is lost. */
class ProjectionUpdatesTests extends ProcessorScenario {

    private static final View<Total> VIEW = new View<>("totals", Total.class);

    private final String ofSegment0 = keyOf(0, 2);
    private final String ofSegment1 = keyOf(1, 2);

    private Component counting() {
        return Projection.of("copies", VIEW)
                .on(
                        TextAdded.class,
                        event -> "all",
                        (row, event) -> row == null
                                ? new Total(1, event.text())
                                : new Total(row.number() + 1, row.texts() + " " + event.text()))
                .component()
                .build();
    }

    private Total total() {
        Row row = store.viewStore().find(List.of(new RowKey("totals", "all"))).get(0);
        return codec.decode(Objects.requireNonNull(row.value()), Total.class);
    }

    @Test
    void appliesUpdatesOfOneBatch() {
        appendInput("a", "1", "2");
        appendInput("b", "3");

        run(processor("copier", counting()));

        assertThat(total()).isEqualTo(new Total(3, "1 2 3"));
    }

    @Test
    void appliesUpdatesOfTwoSegmentsInOneCommit() {
        appendInput(ofSegment0, "0");
        appendInput(ofSegment1, "1");
        EventProcessor processor = segmented(2, counting());
        long before = committer.statistics().commits();

        run(processor);

        assertThat(total().number()).isEqualTo(2);
        assertThat(committer.statistics().commits() - before).isEqualTo(1);
    }

    @Test
    void appliesUpdatesOfTwoReplicasThatReadTheSameRow() {
        GroupCommitter otherCommitter = newCommitter();
        EventProcessor one = segmented(2, counting());
        EventProcessor two = inSegments(2)
                .apply(builder("copier", "two", stores(otherCommitter)))
                .calls(counting())
                .build();
        for (int second = 0; second < 6; second++) {
            run(one);
            two.step();
            otherCommitter.commitWaiting();
            clock.advance(Duration.ofSeconds(1));
        }
        assertThat(claimed(one)).hasSize(1);
        assertThat(claimed(two)).hasSize(1);

        for (int round = 0; round < 5; round++) {
            appendInput(ofSegment0, "0");
            appendInput(ofSegment1, "1");
            one.step();
            two.step();
            committer.commitWaiting();
            otherCommitter.commitWaiting();
        }

        assertThat(total().number()).isEqualTo(10);
    }

    @Test
    void appliesUpdateOfParkedEventToNewestRowAtReplay() {
        appendInput("a", "1");
        appendInput("b", "2");
        boolean[] isFailing = {true};
        Component component = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    context.update(VIEW, "all", row -> new Total(row == null ? 1 : row.number() + 1, event.text()));
                    if (isFailing[0] && event.text().equals("1")) {
                        throw new IllegalStateException("after the update was added");
                    }
                })
                .build();
        EventProcessor processor = processor("copier", component);
        run(processor);
        assertThat(total()).isEqualTo(new Total(1, "2"));
        isFailing[0] = false;

        runFor(Duration.ofSeconds(2), processor);

        assertThat(total()).isEqualTo(new Total(2, "1"));
    }

    record Total(int number, String texts) {}
}
