package io.holdfast.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShoppingPlanTests {

    @Test
    void isTheSameForTheSameSeed() {
        assertThat(ShoppingPlan.of(200, 1)).isEqualTo(ShoppingPlan.of(200, 1)).isNotEqualTo(ShoppingPlan.of(200, 2));
    }

    @Test
    void hasEveryKindOfOrder() {
        ShoppingPlan plan = ShoppingPlan.of(1_000, 42);

        assertThat(plan.products()).hasSize(10).allMatch(product -> product.quantityOnHand() > 0);
        assertThat(plan.orders())
                .hasSize(1_000)
                .anyMatch(order -> order.request().lineItems().size() > 1)
                .anyMatch(ShoppingPlan.PlannedOrder::sentTwice)
                .extracting(ShoppingPlan.PlannedOrder::idempotencyKey)
                .doesNotHaveDuplicates();
    }
}
