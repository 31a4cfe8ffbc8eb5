package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.handling.Component;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Components that call external systems: as few calls as possible, each with a stable idempotency key. */
class ExternalCallsTests extends ProcessorScenario {

    private final List<String> keys = new ArrayList<>();

    private Component.Builder calling(String name) {
        return Component.named(name)
                .on(TextAdded.class, (event, context) -> {
                    keys.add(context.idempotencyKey());
                    copy(event, context);
                })
                .callsOutside();
    }

    private EventProcessor processorFromBeginning(Component... components) {
        return processor("copier", builder -> builder.startsAt(StartAt.BEGINNING), components);
    }

    @Test
    void handlesNextEventOfSequenceOnlyAfterPreviousIsCommitted() {
        appendInput("a", "a1", "a2");
        appendInput("b", "b1", "b2");
        EventProcessor processor = processorFromBeginning(calling("copies").build());

        for (int step = 0; step < 5; step++) {
            processor.step();
        }
        assertThat(handled).as("nothing is committed").containsExactly("a1", "b1");
        committer.commitWaiting();
        processor.step();
        assertThat(handled).containsExactly("a1", "b1", "a2", "b2");
        run(processor);

        assertThat(output("a")).containsExactly("a1", "a2");
        assertThat(output("b")).containsExactly("b1", "b2");
    }

    @Test
    void otherComponentsInTheBatchDoNotWait() {
        appendInput("a", "a1", "a2", "a3");
        List<String> seen = new ArrayList<>();
        EventProcessor processor = processorFromBeginning(
                calling("copies").build(),
                Component.named("inside")
                        .on(TextAdded.class, (event, context) -> seen.add(event.text()))
                        .build());

        processor.step();

        assertThat(seen).containsExactly("a1", "a2", "a3");
        assertThat(handled).containsExactly("a1");
    }

    @Test
    void replaysLettersOneByOne() {
        appendInput("a", "a1", "a2", "a3");
        failing.add("a1");
        EventProcessor processor = processorFromBeginning(calling("copies").build());
        run(processor);
        failing.clear();
        clock.advance(Duration.ofSeconds(1));

        processor.step();
        processor.step();
        assertThat(handled).containsExactly("a1");
        run(processor);

        assertThat(handled).containsExactly("a1", "a2", "a3");
        assertThat(output()).containsExactly("a1", "a2", "a3");
    }

    @Test
    void requiresDeclaredStart() {
        assertThatThrownBy(() -> processor("copier", calling("copies").build()))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining(
                        "component copies of processor copier calls external systems: declare where it starts");
    }

    @Test
    void cannotBeResettable() {
        assertThatThrownBy(() -> calling("copies").resettable().build())
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("component copies calls external systems, which is not idempotent");
    }

    @Test
    void idempotencyKeyIsStablePerComponent() {
        appendInput("a", "1");
        EventProcessor crashing = processorFromBeginning(
                calling("copies").build(), calling("second").build());
        crashing.step(); // then it crashes
        clock.advance(Duration.ofSeconds(11));
        failing.add("1");

        EventProcessor processor = processorFromBeginning(
                calling("copies").build(), calling("second").build());
        run(processor);
        failing.clear();
        runFor(Duration.ofSeconds(2), processor);

        assertThat(keys).hasSize(6);
        String copies = keys.get(0);
        String second = keys.get(1);
        assertThat(keys)
                .as("jitter decides which of the two is retried first")
                .containsExactlyInAnyOrder(copies, second, copies, second, copies, second);
        assertThat(copies).isNotEqualTo(second);
        assertThat(output()).hasSize(2);
    }

    @Test
    void repeatsCallWithSameKeyAfterFailedCommit() {
        appendInput("a", "1");
        failingBefore.put(CommitPoint.COMMIT, new RetryableException("the store is gone"));
        EventProcessor processor = processorFromBeginning(calling("copies").build());
        run(processor);
        failingBefore.clear();

        runFor(Duration.ofSeconds(3), processor);

        assertThat(output()).containsExactly("1");
        assertThat(keys).hasSize(2).containsOnly(keys.get(0));
    }

    @Test
    void callsHandlerSlowerThanItsLeaseOnce() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        appendInput("a", "1");
        Component slow = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    handled.add(event.text());
                    started.countDown();
                    waitInHandler(end);
                })
                .callsOutside()
                .build();
        EventProcessor processor = processor(
                "copier", builder -> builder.startsAt(StartAt.BEGINNING).threads(threads), slow);
        EventProcessor other = processorFromBeginning(slow);
        run(processor);
        started.await();

        runFor(Duration.ofSeconds(30), processor, other);
        end.countDown();
        threads.shutdown();
        await().atMost(Duration.ofSeconds(5)).until(() -> {
            run(processor, other);
            return position(processor) == 1;
        });

        assertThat(claimed(processor)).containsExactly(0);
        assertThat(handled).containsExactly("1");
    }
}
