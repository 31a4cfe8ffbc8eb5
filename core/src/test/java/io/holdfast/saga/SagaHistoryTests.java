package io.holdfast.saga;

import static io.holdfast.saga.OrderFulfillment.EVENT_TYPES;
import static io.holdfast.saga.OrderFulfillment.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Visits every row that any history of events, operators and timeouts can produce, possible or not. */
class SagaHistoryTests {

    private static final Set<String> CAUSES = Set.of("StockReservationFailed", "PaymentFailed", "OrderCancelled");

    private static final Map<SagaState, Set<String>> ROWS = reachable();

    @Test
    void recordingAnEventAgainChangesNothing() {
        ROWS.forEach((row, events) -> events.forEach(event -> requireEqual(record(row, event), row)));
    }

    @Test
    void theOrderOfTwoEventsDoesNotMatterUnlessTheFirstEndsTheSaga() {
        int compared = 0;
        for (SagaState row : ROWS.keySet()) {
            List<SagaState> next =
                    EVENT_TYPES.stream().map(event -> record(row, event)).toList();
            for (int one = 0; one < next.size(); one++) {
                for (int other = 0; other < one; other++) {
                    compared += compareOrders(row, next, one, other);
                }
            }
        }
        assertThat(compared).isGreaterThan(100_000);
    }

    /** Returns 1 if the whole rows were compared. */
    private static int compareOrders(SagaState row, List<SagaState> next, int one, int other) {
        SagaState both = record(next.get(one), EVENT_TYPES.get(other));
        SagaState reversed = record(next.get(other), EVENT_TYPES.get(one));
        requireEqual(both.steps(), reversed.steps());
        if (ends(row, next.get(one))
                || ends(row, next.get(other))
                || decides(EVENT_TYPES.get(one), EVENT_TYPES.get(other))) {
            return 0;
        }
        requireEqual(both, reversed);
        return 1;
    }

    /** Cheaper than an assertion, for millions of comparisons. */
    private static void requireEqual(Object one, Object other) {
        if (!one.equals(other)) {
            assertThat(one).isEqualTo(other);
        }
    }

    private static boolean ends(SagaState before, SagaState after) {
        return !before.status().isFinal() && after.status().isFinal();
    }

    /** Between the completing event and a cause for compensation, the first one decides. */
    private static boolean decides(String one, String other) {
        return (one.equals("OrderConfirmed") && CAUSES.contains(other))
                || (other.equals("OrderConfirmed") && CAUSES.contains(one));
    }

    @Test
    void aFinalStatusNeverChanges() {
        Set<SagaStatus> seen = new HashSet<>();
        ROWS.keySet().stream().filter(row -> row.status().isFinal()).forEach(row -> {
            seen.add(row.status());
            assertThat(successors(row))
                    .allSatisfy(next -> assertThat(next.status()).isEqualTo(row.status()));
        });
        assertThat(seen).containsExactlyInAnyOrder(SagaStatus.COMPLETED, SagaStatus.COMPENSATED, SagaStatus.FAILED);
    }

    @Test
    void aStatusOnlyBecomesWhatTheTableAllows() {
        Set<String> changes = new TreeSet<>();
        ROWS.keySet().forEach(row -> successors(row).stream()
                .filter(next -> next.status() != row.status())
                .forEach(next -> changes.add(row.status() + " to " + next.status())));

        assertThat(changes)
                .filteredOn(change -> !change.startsWith("PLACEHOLDER"))
                .containsExactlyInAnyOrder(
                        "STARTED to IN_PROGRESS",
                        "STARTED to COMPLETED",
                        "STARTED to COMPENSATING",
                        "STARTED to COMPENSATED",
                        "STARTED to TIMED_OUT",
                        "IN_PROGRESS to COMPLETED",
                        "IN_PROGRESS to COMPENSATING",
                        "IN_PROGRESS to COMPENSATED",
                        "IN_PROGRESS to TIMED_OUT",
                        "TIMED_OUT to COMPLETED",
                        "TIMED_OUT to COMPENSATING",
                        "TIMED_OUT to COMPENSATED",
                        "COMPENSATING to COMPENSATED",
                        "COMPENSATING to FAILED");
    }

    /** A change is counted when a fact is new. No fact is ever removed, so no change is counted twice. */
    @Test
    void eachChangeIsCountedAtMostOnce() {
        Set<SagaStatus> ends = new HashSet<>();
        for (SagaState row : ROWS.keySet()) {
            for (SagaState next : successors(row)) {
                SagaTransition change = SagaTransition.between(row, next);
                if (change.ended() != null) {
                    ends.add(change.ended());
                }
                if (!isCountedOnce(row, next, change) || !keepsFacts(row, next)) {
                    fail("%s%nbecomes %s%nand counts %s", row, next, change);
                }
            }
        }
        assertThat(ends).containsExactlyInAnyOrder(SagaStatus.COMPLETED, SagaStatus.COMPENSATED, SagaStatus.FAILED);
    }

    private static boolean isCountedOnce(SagaState row, SagaState next, SagaTransition change) {
        boolean starts = row.start() == null && next.start() != null;
        boolean ends = !row.status().isFinal() && next.status().isFinal();
        boolean timesOut =
                row.milestones().timedOut() == null && next.milestones().timedOut() != null;
        return change.started() == starts
                && (change.ended() != null) == ends
                && (change.duration() != null) == ends
                && change.timedOut() == timesOut
                && change.lateSteps().stream().allMatch(step -> !isDone(row, step) && isDone(next, step));
    }

    private static boolean keepsFacts(SagaState row, SagaState next) {
        return (row.start() == null || next.start() != null)
                && (row.milestones().timedOut() == null || next.milestones().timedOut() != null)
                && row.steps().keySet().stream().allMatch(step -> !isDone(row, step) || isDone(next, step));
    }

    private static boolean isDone(SagaState row, String step) {
        return Objects.requireNonNull(row.steps().get(step)).done() != null;
    }

    @Test
    void everyRowHasATagAndKnowsWhatItAwaits() {
        Set<String> tags = new HashSet<>(SagaTag.matching(List.of("OrderFulfillment"), null, null));
        tags.addAll(SagaTag.matching(List.of("OrderFulfillment"), SagaStatus.PLACEHOLDER, null));

        for (SagaState row : ROWS.keySet()) {
            boolean hasPending = row.stepsInOrder().stream().anyMatch(step -> step.status() == StepStatus.PENDING);
            boolean awaits =
                    switch (row.status()) {
                        case PLACEHOLDER, COMPENSATING -> true;
                        case STARTED, IN_PROGRESS, TIMED_OUT -> hasPending;
                        case COMPLETED, COMPENSATED, FAILED -> false;
                    };
            requireEqual(!row.expected().isEmpty(), awaits);
            requireEqual(row.endedAt().isPresent(), row.status().isFinal());
            requireEqual(tags.contains(SagaTag.of(row, row.facts())), true);
        }
    }

    private static List<SagaState> successors(SagaState row) {
        List<SagaState> next = new ArrayList<>();
        EVENT_TYPES.forEach(event -> next.add(record(row, event)));
        next.addAll(judged(row));
        return next;
    }

    private static List<SagaState> judged(SagaState row) {
        return List.of(
                row.timedOut(OrderFulfillment.START),
                row.cancelRequested(OrderFulfillment.START, "requested"),
                row.gaveUp(OrderFulfillment.START, "given up"),
                row.skipped("StockReserved", OrderFulfillment.START, "skipped"));
    }

    /** Returns every row, and the events that it has recorded. */
    private static Map<SagaState, Set<String>> reachable() {
        Map<SagaState, Set<String>> found = new HashMap<>();
        Deque<SagaState> open = new ArrayDeque<>();
        EVENT_TYPES.forEach(event -> {
            SagaState row = record(null, event);
            found.put(row, Set.of(event));
            open.add(row);
        });
        while (!open.isEmpty()) {
            SagaState row = open.remove();
            Set<String> recorded = Objects.requireNonNull(found.get(row));
            for (String event : EVENT_TYPES) {
                Set<String> more = new TreeSet<>(recorded);
                more.add(event);
                addIfNew(record(row, event), more, found, open);
            }
            judged(row).forEach(next -> addIfNew(next, recorded, found, open));
        }
        System.out.println("Visited " + found.size() + " rows of a saga");
        return found;
    }

    private static void addIfNew(
            SagaState row, Set<String> events, Map<SagaState, Set<String>> found, Deque<SagaState> open) {
        if (found.putIfAbsent(row, events) == null) {
            open.add(row);
        }
    }
}
