package io.holdfast.examples.shop.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.fixture.Scenario;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProjectionTests {

    private static final BigDecimal TOTAL = new BigDecimal("30.22");

    @Test
    void catalogueKeepsNameAndPriceOfAProduct() {
        Scenario.givenNothing()
                .when(
                        Catalogue.component(),
                        "products",
                        "tea",
                        new Catalogue.ProductCreated("tea", "Green tea", new BigDecimal("4.99")))
                .thenRow(Catalogue.VIEW, "tea", new Catalogue.Entry("Green tea", new BigDecimal("4.99")));
    }

    @Test
    void aNewOrderIsPendingInItsCustomersRow() {
        Scenario.givenNothing()
                .when(
                        CustomerOrders.component(),
                        "orders",
                        "o-1",
                        new OrderCreated("o-1", "c-1", List.of(), TOTAL, OrderTotal.ZERO, TOTAL))
                .thenRow(CustomerOrders.VIEW, "c-1", row(OrderStatus.PENDING, TOTAL))
                .thenRow(CustomerOrders.VIEW, "c-2", null);
    }

    @Test
    void aConfirmedOrderIsSpent() {
        Scenario.givenNothing()
                .when(CustomerOrders.component(), "orders", "o-1", new OrderConfirmed("o-1", "c-1", TOTAL))
                .thenRow(CustomerOrders.VIEW, "c-1", row(OrderStatus.CONFIRMED, TOTAL));

        assertThat(row(OrderStatus.CONFIRMED, TOTAL).spent()).isEqualTo(TOTAL);
    }

    @Test
    void aCancelledOrderCostsNothing() {
        Scenario.givenNothing()
                .when(CustomerOrders.component(), "orders", "o-1", new OrderCancelled("o-1", "c-1", "declined"))
                .thenRow(CustomerOrders.VIEW, "c-1", row(OrderStatus.CANCELLED, OrderTotal.ZERO));

        assertThat(row(OrderStatus.CANCELLED, TOTAL).spent()).isEqualTo(OrderTotal.ZERO);
    }

    private static CustomerOrders row(OrderStatus status, BigDecimal amount) {
        return new CustomerOrders(Map.of("o-1", new CustomerOrders.Entry(status, amount)));
    }
}
