package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.Warehouse.Order;
import io.holdfast.admin.web.AdminClient.Response;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.eventsourcing.Command;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryableProblemAdviceTests extends WarehouseTest {

    @Test
    void respondsWithRetryAfterForApplicationControllers() {
        Response response = client.get("/own/busy");

        assertProblem(response, 503);
        assertThat(response.retryAfter()).isEqualTo("1");
        assertThat(response.field("detail"))
                .isEqualTo("the committer's queue is full (1000 units waiting); nothing was committed, retry later");
    }

    /** Two versions run side by side, and the older one gets the request. */
    @Test
    void respondsWithRetryAfterIfOnlyAnotherVersionCanDecide() {
        String key = newKey();
        AggregateType<Order> newVersion = AggregateType.of("orders", Order.class, new Order(0))
                .on(OrderLocked.class, (order, event) -> order)
                .build();
        var unused = service.commands()
                .execute(Command.once(Clock.systemUTC()), newVersion, key, order -> List.of(new OrderLocked()));

        Response response = client.get("/own/order/" + key);

        assertProblem(response, 503);
        assertThat(response.retryAfter()).isEqualTo("1");
        assertThat(response.field("detail"))
                .startsWith("event 1 of orders/" + key + " has type OrderLocked, which its aggregate does not know;"
                        + " another version of the service may handle it");
        assertThat(service.commands().history(newVersion, key, 0, 10)).hasSize(1);
    }

    record OrderLocked() {}

    @Test
    void leavesPermanentFailuresToTheApplication() {
        Response response = client.get("/own/rejected");

        assertThat(response.status()).isEqualTo(500);
        assertThat(response.contentType()).isEqualTo("application/json");
        assertThat(response.retryAfter()).isEmpty();
    }
}
