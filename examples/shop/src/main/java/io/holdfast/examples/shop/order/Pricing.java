package io.holdfast.examples.shop.order;

import io.holdfast.view.ViewRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Gives an order its prices, by what has arrived here of customers and products. */
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
        Map<String, Catalogue.ProductRow> articles = new LinkedHashMap<>();
        List<OrderLine> lines = new ArrayList<>();
        for (PlaceOrder.Item item : request.lineItems()) {
            String productId = item.productId();
            if (!articles.containsKey(productId)) {
                views.find(Catalogue.PRODUCTS, productId).ifPresent(article -> articles.put(productId, article));
            }
            Catalogue.ProductRow article = articles.get(productId);
            if (article == null) {
                unknown.add("product " + productId);
            } else {
                lines.add(new OrderLine(productId, item.quantity(), article.price()));
            }
        }
        return new PricingResult(lines, List.copyOf(unknown));
    }

    /** @param unknown who and what is not known here; then the lines are not complete */
    record PricingResult(List<OrderLine> lines, List<String> unknown) {

        boolean isComplete() {
            return unknown.isEmpty();
        }
    }
}
