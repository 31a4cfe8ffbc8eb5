package io.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationRequestTests {

    private static OperationRequest request(String service, String operation, String body) {
        return new OperationRequest(new UUID(0, 7), service, operation, body);
    }

    @ParameterizedTest
    @CsvSource({"x, 1048577, 1048577", "ü, 524289, 1048578", "世, 349526, 1048578"})
    void rejectsABodyThatIsTooLarge(String letter, int count, int bytes) {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> request("shop", "count", letter.repeat(count)))
                .withMessage(
                        "the request of operation count of service shop has %s bytes; the wire carries at most 1048576,"
                                + " so split it into smaller ones",
                        bytes);
    }

    @ParameterizedTest
    @CsvSource({"x, 1048576", "ü, 524288", "世, 349525"})
    void acceptsABodyOfTheMaximumSize(String letter, int count) {
        String body = letter.repeat(count);

        assertThat(request("shop", "count", body).body()).isEqualTo(body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"half \ud83d", "\0"})
    void rejectsABodyThatTheWireWouldAlter(String body) {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> request("shop", "count", body))
                .withMessageContaining("contains NUL or an unpaired surrogate");
    }

    @Test
    void rejectsBlankNames() {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> request(" ", "count", ""))
                .withMessage("name of service must not be blank");
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> request("shop", " ", ""))
                .withMessage("name of operation must not be blank");
    }

    @Test
    void doesNotShowItsBodyInLogs() {
        assertThat(request("shop", "count", "{\"iban\":\"DE1\"}"))
                .hasToString("request 00000000-0000-0000-0000-000000000007 for operation count of service shop");
    }
}
