package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.processing.segment.ProcessorStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** A processor whose handlers write application rows and lose their transactions. */
abstract class LostTransactionScenario extends ProcessorScenario {

    static final int ALWAYS = Integer.MAX_VALUE;

    final List<String> rows = new ArrayList<>();
    final List<String> called = new ArrayList<>();
    /** The texts whose handlers lose the transaction, and how often. */
    final Map<String, Integer> losing = new HashMap<>();
    /** The texts whose commits lose it. */
    final Set<String> losingAtCommit = new HashSet<>();

    boolean isDown;
    boolean goesDown;
    private int inTransaction;
    int maxInTransaction = Integer.MAX_VALUE;

    Component rowWriting() {
        return Component.named("copies")
                .rowsIn(store.transactions())
                .on(TextAdded.class, this::writeRow)
                .build();
    }

    void writeRow(TextAdded event, EventContext context) {
        addRow(event);
        if (losingAtCommit.contains(event.text())) {
            failingBefore.put(CommitPoint.COMMIT, new OutcomeUnknownException("the connection was lost", null));
        }
        copy(event, context);
        loseIfScripted(event);
    }

    void addRow(TextAdded event) {
        called.add(event.text());
        store.transactions().atCommit(() -> rows.add(event.text()));
    }

    void loseIfScripted(TextAdded event) {
        if (loses(event.text()) || ++inTransaction > maxInTransaction) {
            isDown = goesDown;
            store.transactions().loseCurrent();
        }
    }

    private boolean loses(String text) {
        return losing.computeIfPresent(text, (same, left) -> left == 0 ? null : left - 1) != null;
    }

    /** Runs for this many seconds, and asserts after each that nothing is parked. A parked event stays for longer. */
    void runWithoutParking(int seconds, EventProcessor processor) {
        for (int second = 0; second < seconds; second++) {
            runFor(Duration.ofSeconds(1), processor);
            assertThat(parked()).isEmpty();
        }
    }

    /** Returns a processor whose database can be down. */
    EventProcessor copier(Component... components) {
        UnitTransactions transactions = new UnitTransactions() {
            @Override
            public boolean isBackedBy(Object resource) {
                return store.unitTransactions().isBackedBy(resource);
            }

            @Override
            public OptionalInt capacity() {
                return OptionalInt.empty();
            }

            @Override
            public UnitTransaction begin() {
                if (isDown) {
                    throw new RetryableException("the database is down");
                }
                inTransaction = 0;
                failingBefore.clear();
                return store.unitTransactions().begin();
            }
        };
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(), store.deadLetterStore(), store.actionStore(), transactions, committer);
        EventProcessorBuilder builder = builder("copier", "one", stores);
        List.of(components).forEach(builder::calls);
        return builder.build();
    }

    void assertCommitted(String... texts) {
        assertThat(rows).as("rows").containsExactlyInAnyOrder(texts);
        assertThat(output()).as("effects").containsExactlyInAnyOrder(texts);
    }
}
