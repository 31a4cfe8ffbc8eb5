package io.holdfast.examples.shop.order;

import java.util.List;

/** What a customer asks for. Prices are not the customer's to say. */
public record PlaceOrder(String customerId, List<Item> lineItems) {

    public PlaceOrder {
        lineItems = List.copyOf(lineItems);
        if (customerId.isBlank()) {
            throw new OrderRefusedException("an order needs a customerId");
        }
        if (lineItems.isEmpty()) {
            throw new OrderRefusedException("an order needs at least one line item");
        }
    }

    public record Item(String productId, int quantity) {

        public Item {
            if (quantity < 1) {
                throw new OrderRefusedException(
                        "quantity of product " + productId + " must be 1 or more, but is " + quantity);
            }
        }
    }
}
