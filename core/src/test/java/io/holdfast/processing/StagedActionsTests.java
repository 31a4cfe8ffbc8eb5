package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NonRetryableException;
import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.ActionStore;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Requester;
import io.holdfast.action.execution.OpenItems;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOutcome;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import io.holdfast.handling.Component;
import io.holdfast.processing.segment.ProcessorStores;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Several processors of a replica share the poll of staged actions. */
class StagedActionsTests extends ProcessorScenario {

    private final List<String> attempted = new ArrayList<>();
    private int polls;
    private boolean unavailable;
    private Runnable afterPoll = () -> {};

    private final OpenItems shared = new OpenItems(observed(), clock, "replica");

    /** Returns the store's actions, and runs code after the store has responded to a poll. */
    private ActionStore observed() {
        ActionStore real = store.actionStore();
        return (ActionStore) Proxy.newProxyInstance(
                ActionStore.class.getClassLoader(), new Class<?>[] {ActionStore.class}, (proxy, method, arguments) -> {
                    boolean isPoll = method.getName().equals("findOpen");
                    if (isPoll && unavailable) {
                        throw new RetryableException("no connection");
                    }
                    try {
                        Object result = method.invoke(real, arguments);
                        if (isPoll) {
                            polls++;
                            afterPoll.run();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    private EventProcessor sharing(String name) {
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(), store.deadLetterStore(), observed(), store.unitTransactions(), committer);
        return builder(name, UUID.randomUUID().toString(), stores)
                .openItems(shared)
                .calls(Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            attempted.add(name + ":" + event.text());
                            throw new Broken(event.text());
                        })
                        .build())
                .build();
    }

    private static final class Broken extends RuntimeException implements NonRetryableException {
        Broken(String text) {
            super("broken " + text);
        }
    }

    private Action replay(String consumer) {
        String component = "test/" + consumer + "/copies";
        var sequence = store.deadLetterStore().findByAge(component, null, 1).get(0);
        DeadLetter letter =
                store.deadLetterStore().findLetters(sequence.id(), 0, 1).get(0);
        return Action.of(
                consumer,
                Action.Kind.REPLAY,
                "target",
                "hash",
                Requester.CODE,
                List.of(LetterItem.of(letter, sequence)));
    }

    private List<Outcome> outcomes(String action) {
        return store.actionStore().findItems(action, 0, 10).stream()
                .flatMap(item -> item.letterOutcome().stream())
                .map(LetterOutcome::outcome)
                .toList();
    }

    @Test
    void areFoundWithOneQueryPerSecond() {
        EventProcessor one = sharing("one");
        EventProcessor other = sharing("other");
        run(one, other);
        polls = 0;

        runFor(Duration.ofSeconds(10), one, other);

        assertThat(polls).isEqualTo(10);
    }

    @Test
    void ofAllProcessorsAreFoundByAnyPoll() {
        EventProcessor one = sharing("one");
        EventProcessor other = sharing("other");
        appendInput("a", "a");
        run(one, other);
        attempted.clear();
        store.actionStore().stage(replay("one"));
        store.actionStore().stage(replay("other"));

        runFor(Duration.ofSeconds(1), one, other);

        assertThat(outcomes("one")).containsExactly(Outcome.FAILED_AGAIN);
        assertThat(outcomes("other")).containsExactly(Outcome.FAILED_AGAIN);
        assertThat(attempted).containsExactlyInAnyOrder("one:a", "other:a");
    }

    /** One processor polls while the other one settles the item: the poll's result is then out of date. */
    @Test
    void runOnceAlthoughAPollIsOutOfDate() {
        EventProcessor one = sharing("one");
        EventProcessor other = sharing("other");
        appendInput("a", "a");
        run(one, other);
        attempted.clear();
        one.stage(replay("one"));
        one.step(); // the handler has failed, and its unit is not committed yet
        clock.advance(Duration.ofSeconds(1));
        afterPoll = () -> {
            afterPoll = () -> {};
            committer.commitWaiting();
            CompletableFuture.runAsync(one::step).join(); // on its own thread, as coordinators are
        };

        other.step();
        run(one, other);

        assertThat(outcomes("one")).containsExactly(Outcome.FAILED_AGAIN);
        assertThat(attempted).containsExactly("one:a");
    }

    @Test
    void areFoundOnceTheStoreRespondsAgain() {
        EventProcessor one = sharing("one");
        appendInput("a", "a");
        run(one);
        store.actionStore().stage(replay("one"));
        unavailable = true;
        runFor(Duration.ofSeconds(3), one);
        assertThat(outcomes("one")).isEmpty();

        unavailable = false;
        runFor(Duration.ofSeconds(2), one);

        assertThat(outcomes("one")).containsExactly(Outcome.FAILED_AGAIN);
        assertThat(one.status().problems()).isEmpty();
    }
}
