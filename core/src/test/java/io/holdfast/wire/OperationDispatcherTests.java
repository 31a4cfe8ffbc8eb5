package io.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class OperationDispatcherTests {

    private final OperationDispatcher dispatcher = new OperationDispatcher();

    private static OperationRequest request(String operation) {
        return new OperationRequest(UUID.randomUUID(), "shop", operation, "body");
    }

    @Test
    void passesARequestToTheHandlerOfItsOperation() {
        dispatcher.register("letters", request -> "letters " + request.body());
        dispatcher.register("receipts", request -> "receipts " + request.body());

        assertThat(dispatcher.serve(request("letters")).map(CompletableFuture::join))
                .contains("letters body");
        assertThat(dispatcher.serve(request("receipts")).map(CompletableFuture::join))
                .contains("receipts body");
    }

    @Test
    void doesNotKnowOperationsWithoutAHandler() {
        Wire.Registration registration = dispatcher.register("letters", request -> "");
        assertThat(dispatcher.serve(request("receipts"))).isEmpty();

        registration.close();
        registration.close();

        assertThat(dispatcher.serve(request("letters"))).isEmpty();
    }

    @Test
    void rejectsASecondHandlerOfAnOperation() {
        Function<OperationRequest, String> handler = request -> "reply";
        Wire.Registration first = dispatcher.register("letters", handler);

        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> dispatcher.register("letters", handler))
                .withMessage("operation letters has a handler already; register it under another name");

        first.close();
        dispatcher.register("letters", handler);
        first.close();
        assertThat(dispatcher.serve(request("letters")).map(CompletableFuture::join))
                .contains("reply");
    }
}
