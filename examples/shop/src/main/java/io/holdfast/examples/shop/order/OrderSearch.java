package io.holdfast.examples.shop.order;

import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Searches the listings of orders, newest first. */
@Component
class OrderSearch {

    /**
     * Maximum number of rows that a search by status scans, so that its cost does not grow with the number of orders.
     */
    static final int MAX_SCANNED = 10_000;

    private static final int PAGE_SIZE = 500;

    private final ViewRows views;

    OrderSearch(ViewRows views) {
        this.views = views;
    }

    /** @param status the status to match, or null for any */
    List<OrderRow> findAll(@Nullable Status status, int limit) {
        return search(OrderListing.ALL_ORDERS, "", status, limit);
    }

    /** @param status the status to match, or null for any */
    List<OrderRow> findByCustomer(String customerId, @Nullable Status status, int limit) {
        return search(OrderListing.CUSTOMER_ORDERS, OrderListing.keyPrefix(customerId), status, limit);
    }

    private List<OrderRow> search(View<OrderRow> view, String prefix, @Nullable Status status, int limit) {
        int pageSize = status == null ? limit : PAGE_SIZE;
        List<OrderRow> found = new ArrayList<>();
        String after = "";
        for (int scanned = 0; scanned < MAX_SCANNED; scanned += pageSize) {
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

    /** The status values that a caller can search for. */
    enum Status {
        PENDING(OrderStatus.PENDING),
        CONFIRMED(OrderStatus.CONFIRMED),
        CANCELLED(OrderStatus.CANCELLED);

        private final OrderStatus orderStatus;

        Status(OrderStatus orderStatus) {
            this.orderStatus = orderStatus;
        }
    }
}
