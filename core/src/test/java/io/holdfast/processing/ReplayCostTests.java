package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NonRetryableException;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.handling.Component;
import io.holdfast.processing.segment.ProcessorStores;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The number of queries that a large replay needs. */
class ReplayCostTests extends ProcessorScenario {

    private static final int SEQUENCES = 1_000;

    private final Map<String, Integer> calls = new HashMap<>();
    private boolean broken = true;

    @Override
    ProcessorStores stores(GroupCommitter ofReplica) {
        return new ProcessorStores(
                store.tokenStore(), counted(), store.actionStore(), store.unitTransactions(), ofReplica);
    }

    private DeadLetterStore counted() {
        return (DeadLetterStore) Proxy.newProxyInstance(
                DeadLetterStore.class.getClassLoader(),
                new Class<?>[] {DeadLetterStore.class},
                (self, method, arguments) -> {
                    calls.merge(method.getName(), 1, Integer::sum);
                    try {
                        return method.invoke(store.deadLetterStore(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private EventProcessor parking(int cacheSize) {
        EventProcessor processor = processor(
                "copier",
                builder -> builder.deadLetters(new QueueConfiguration().cacheSize(cacheSize)),
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            if (broken) {
                                throw new Broken();
                            }
                        })
                        .build());
        appendToKeys(SEQUENCES);
        run(processor);
        broken = false;
        calls.clear();
        return processor;
    }

    private static final class Broken extends RuntimeException implements NonRetryableException {
        Broken() {
            super("broken");
        }
    }

    @Test
    void selectsByPage() {
        EventProcessor processor = parking(2 * SEQUENCES);

        var replay = processor.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED);
        run(processor);

        assertThat(replay.result()).isCompletedWithValueMatching(progress -> progress.drained() == SEQUENCES);
        assertThat(calls.get("findByNextAttempt")).isLessThan(10);
    }

    @Test
    void loadsUncachedSequencesInBulk() {
        EventProcessor processor = parking(0);

        var replay = processor.deadLetterProcessor("copies").processAll(BulkReplaySettings.UNLIMITED);
        run(processor);

        assertThat(replay.result()).isCompletedWithValueMatching(progress -> progress.drained() == SEQUENCES);
        assertThat(calls.get("findSequences")).isLessThan(10);
    }
}
