package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.web.AdminClient.Response;
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

    @Test
    void leavesPermanentFailuresToTheApplication() {
        Response response = client.get("/own/rejected");

        assertThat(response.status()).isEqualTo(500);
        assertThat(response.contentType()).isEqualTo("application/json");
        assertThat(response.retryAfter()).isEmpty();
    }
}
