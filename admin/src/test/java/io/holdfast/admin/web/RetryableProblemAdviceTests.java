package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.web.AdminClient.Response;
import org.junit.jupiter.api.Test;

class RetryableProblemAdviceTests extends WarehouseTest {

    @Test
    void tellsCallersOfUsersControllersToComeBack() {
        Response answer = client.get("/own/busy");

        assertProblem(answer, 503);
        assertThat(answer.retryAfter()).isEqualTo("1");
        assertThat(answer.field("detail"))
                .isEqualTo("the committer's queue is full (1000 units waiting); nothing was committed, retry later");
    }

    @Test
    void leavesWhatIsPermanentToTheUser() {
        Response answer = client.get("/own/refused");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.contentType()).isEqualTo("application/json");
        assertThat(answer.retryAfter()).isEmpty();
    }
}
