package io.holdfast.spring.properties;

import io.holdfast.PermanentException;
import io.holdfast.wire.RecordSigning;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Parses the keys of {@code framework.wire.signing-key}: the first one signs, all of them verify. */
final class SigningKeys {

    private static final String PROPERTY = "framework.wire.signing-key";
    private static final String DEFAULT_KEY_ID = "key";

    private SigningKeys() {}

    /**
     * @throws PermanentException if signing is enabled without a key, or a key is too short; never contains a secret
     */
    static RecordSigning signing(HoldfastProperties.Wire wire) {
        if (wire.signing() == RecordSigning.Mode.OFF) {
            return RecordSigning.OFF;
        }
        String text = wire.signingKey();
        if (text == null || text.isBlank()) {
            throw new PermanentException(
                    "framework.wire.signing is enabled, but " + PROPERTY + " is not set; give all services the"
                            + " same secret of at least " + RecordSigning.MIN_SECRET_BYTES + " bytes");
        }
        List<RecordSigning.Key> keys =
                Arrays.stream(text.split(",")).map(SigningKeys::key).toList();
        RecordSigning.Key[] others = keys.subList(1, keys.size()).toArray(RecordSigning.Key[]::new);
        return wire.signing() == RecordSigning.Mode.REQUIRED
                ? RecordSigning.required(keys.get(0), others)
                : RecordSigning.acceptingUnsigned(keys.get(0), others);
    }

    private static RecordSigning.Key key(String text) {
        int colon = text.indexOf(':');
        String id = colon < 0 ? DEFAULT_KEY_ID : text.substring(0, colon).strip();
        String secret = text.substring(colon + 1).strip();
        return new RecordSigning.Key(id, secret.getBytes(StandardCharsets.UTF_8));
    }
}
