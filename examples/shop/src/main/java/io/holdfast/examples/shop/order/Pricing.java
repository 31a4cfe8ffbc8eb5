package io.holdfast.examples.shop.order;

import io.holdfast.view.ViewRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Prices the lines of an order from this service's views of customers and products. */
@Component
class Pricing {

    private final ViewRows views;

    Pricing(ViewRows views) {
        this.views = views;
    }

    PricingResult price(PlaceOrder request) {
        Set<String> unknown = new LinkedHashSet<>();
        if (views.find(Catalogue.CUSTOMERS, request.customerId()).isEmpty()) {
            unknown.add("customer " + request.customerId());
        }
        Map<String, Catalogue.ProductRow> products = new LinkedHashMap<>();
        List<OrderLine> lines = new ArrayList<>();
        for (PlaceOrder.Item item : request.lineItems()) {
            String productId = item.productId();
            if (!products.containsKey(productId)) {
                views.find(Catalogue.PRODUCTS, productId).ifPresent(product -> products.put(productId, product));
            }
            Catalogue.ProductRow product = products.get(productId);
            if (product == null) {
                unknown.add("product " + productId);
            } else {
                lines.add(new OrderLine(productId, item.quantity(), product.price()));
            }
        }
        return new PricingResult(lines, List.copyOf(unknown));
    }

    /** @param unknown the customer and products that are not in the views; if not empty, the lines are incomplete */
    record PricingResult(List<OrderLine> lines, List<String> unknown) {

        boolean isComplete() {
            return unknown.isEmpty();
        }
    }
}
