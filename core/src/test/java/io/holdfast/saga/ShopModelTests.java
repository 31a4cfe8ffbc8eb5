package io.holdfast.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.holdfast.saga.ShopModel.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Visits every state of the shop and its tracker: all orders of deliveries, with or without stock and money, a
 * cancellation by the customer and a timeout at any moment. Every path ends with all effects or none.
 */
class ShopModelTests {

    /** Each state, and how it was first reached. */
    private final Map<ShopModel, Reached> visited = new HashMap<>();

    private final Set<SagaStatus> ends = EnumSet.noneOf(SagaStatus.class);

    @Test
    void everyPathEndsCompletedOrCompensated() {
        int finals = 0;
        for (World world : worlds()) {
            finals += visit(ShopModel.start(world));
        }

        System.out.println("Visited " + visited.size() + " states of the shop and its tracker, " + finals + " final");
        assertThat(ends).containsExactlyInAnyOrder(SagaStatus.COMPLETED, SagaStatus.COMPENSATED);
        assertThat(visited.size()).isGreaterThan(10_000);
    }

    private static List<World> worlds() {
        List<World> worlds = new ArrayList<>();
        for (int bits = 0; bits < 32; bits++) {
            worlds.add(new World((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0));
        }
        return worlds;
    }

    /** Returns the number of final states. */
    private int visit(ShopModel start) {
        int finals = 0;
        Deque<ShopModel> open = new ArrayDeque<>(List.of(start));
        visited.put(start, new Reached("customer orders", null));
        while (!open.isEmpty()) {
            ShopModel state = open.remove();
            checkAlways(state);
            Map<String, ShopModel> next = state.successors();
            next.forEach((action, successor) -> {
                checkStep(state, successor);
                if (visited.putIfAbsent(successor, new Reached(action, state)) == null) {
                    open.add(successor);
                }
            });
            if (next.isEmpty() || next.keySet().equals(Set.of("customer cancels"))) {
                finals++;
                checkAtTheEnd(state);
            }
        }
        return finals;
    }

    /** No effect happens twice, and no unit of stock appears or disappears. */
    private void checkAlways(ShopModel state) {
        OrderFulfillment.EVENT_TYPES.forEach(
                event -> check(state.count(event) <= 1, state, event + " was appended more than once"));
        int initial = state.world().inStock() ? 1 : 0;
        int reserved = state.has("StockReserved") && !state.has("StockReleased") ? 1 : 0;
        check(state.stock() + reserved == initial, state, "stock is not conserved");
        check(!(state.has("StockReserved") && state.has("ReservationWithdrawn")), state, "reserved and withdrawn");
        check(!(state.has("PaymentProcessed") && state.has("PaymentWithdrawn")), state, "charged and withdrawn");
    }

    private void checkStep(ShopModel before, ShopModel after) {
        SagaState from = Objects.requireNonNull(before.saga());
        SagaState to = Objects.requireNonNull(after.saga());
        check(!from.status().isFinal() || to.status() == from.status(), after, "a final status has changed");
        check(from.status() == SagaStatus.PLACEHOLDER || to.start() != null, after, "the saga was started again");
    }

    /** All effects or none, and the saga agrees. */
    private void checkAtTheEnd(ShopModel state) {
        SagaState saga = Objects.requireNonNull(state.saga());
        boolean reserved = state.has("StockReserved") && !state.has("StockReleased");
        boolean charged = state.has("PaymentProcessed") && !state.has("PaymentRefunded");
        ends.add(saga.status());
        check(saga.attentionReason().isEmpty(), state, "the saga needs attention");
        if (state.has("OrderCancelled")) {
            check(!reserved && !charged, state, "a cancelled order keeps an effect");
        } else {
            check(state.has("OrderConfirmed") && reserved && charged, state, "an order lacks an effect");
        }
        SagaStatus expected = state.has("OrderConfirmed") ? SagaStatus.COMPLETED : SagaStatus.COMPENSATED;
        check(saga.status() == expected, state, "the saga is " + saga.status() + " instead of " + expected);
    }

    private void check(boolean condition, ShopModel state, String problem) {
        if (!condition) {
            fail("%s after %s%n%s", problem, pathTo(state), state);
        }
    }

    private List<String> pathTo(ShopModel state) {
        LinkedList<String> path = new LinkedList<>();
        for (Reached reached = visited.get(state); reached != null; reached = reached.before()) {
            path.addFirst(reached.action());
        }
        return path;
    }

    /** How a state was reached: by an action, from the state before. */
    private final class Reached {

        private final String action;
        private final @Nullable ShopModel from;

        Reached(String action, @Nullable ShopModel from) {
            this.action = action;
            this.from = from;
        }

        String action() {
            return action;
        }

        @Nullable
        Reached before() {
            return from == null ? null : visited.get(from);
        }
    }
}
