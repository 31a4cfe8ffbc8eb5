package io.holdfast.examples.shop.order;

import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads listings of orders, newest first. */
@Component
class OrderSearch {

    /** How many orders a search by status looks through at most: an answer must not cost more with every order. */
    static final int MAX_SCANNED = 10_000;

    private static final int PAGE_SIZE = 500;

    private final ViewRows views;

    OrderSearch(ViewRows views) {
        this.views = views;
    }

    /** @param status null for any */
    List<OrderRow> findAll(@Nullable Status status, int limit) {
        return search(OrderListing.ALL_ORDERS, "", status, limit);
    }

    /** @param status null for any */
    List<OrderRow> findByCustomer(String customerId, @Nullable Status status, int limit) {
        return search(OrderListing.CUSTOMER_ORDERS, OrderListing.keyPrefix(customerId), status, limit);
    }

    private List<OrderRow> search(View<OrderRow> view, String prefix, @Nullable Status status, int limit) {
        int pageSize = status == null ? limit : PAGE_SIZE;
        List<OrderRow> found = new ArrayList<>();
        String after = "";
        for (int lookedAt = 0; lookedAt < MAX_SCANNED; lookedAt += pageSize) {
            Map<String, OrderRow> page = views.pageWithin(view, prefix, after, pageSize);
            for (Map.Entry<String, OrderRow> row : page.entrySet()) {
                if (status == null || status.orderStatus == row.getValue().status()) {
                    found.add(row.getValue());
                }
                if (found.size() == limit) {
                    return found;
                }
                after = row.getKey();
            }
            if (page.size() < pageSize) {
                return found;
            }
        }
        return found;
    }

    /** What can be asked for. */
    enum Status {
        PENDING(OrderStatus.PENDING),
        CONFIRMED(OrderStatus.CONFIRMED),
        CANCELLED(OrderStatus.CANCELLED);

        private final OrderStatus orderStatus;

        Status(OrderStatus wanted) {
            this.orderStatus = wanted;
        }
    }
}
