package io.holdfast.wire;

import io.holdfast.PermanentException;
import io.holdfast.event.EventMessage;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates records between services that share keys, on a wire that others can write to. The signature is an
 * HMAC-SHA256 over every field: of an event, including its position in the log, and of a request or reply between
 * services. A rejected record counts as missing.
 *
 * <p>Keys are rotated in two steps. First add the new key behind the old one in every service, for verification; then
 * move it to the front, for signing. Immutable and thread-safe.
 *
 * <p><b>Not guaranteed.</b> A signed record can be published again by others; readers skip an event as a duplicate, and the
 * server of a request is idempotent.
 */
public final class RecordSigning {

    /** Neither signs nor verifies. */
    public static final RecordSigning OFF = new RecordSigning(Mode.OFF, List.of());

    /** Shorter keys can be guessed. */
    public static final int MIN_SECRET_BYTES = 16;

    private static final String ALGORITHM = "HmacSHA256";

    private final Mode mode;
    private final @Nullable String newest;
    private final Map<String, SecretKeySpec> keys = new LinkedHashMap<>();

    private RecordSigning(Mode mode, List<Key> keys) {
        this.mode = mode;
        this.newest = keys.isEmpty() ? null : keys.get(0).id;
        for (Key key : keys) {
            if (this.keys.put(key.id, key.secret) != null) {
                throw new PermanentException("two keys for signing records have the id " + key.id + "; rename one");
            }
        }
    }

    /** Signs published records, accepts unsigned ones and rejects those with an invalid signature. */
    public static RecordSigning acceptingUnsigned(Key newest, Key... others) {
        return new RecordSigning(Mode.ACCEPT_UNSIGNED, joined(newest, others));
    }

    /** Signs published records and rejects every record that is not signed with one of the keys. */
    public static RecordSigning required(Key newest, Key... others) {
        return new RecordSigning(Mode.REQUIRED, joined(newest, others));
    }

    public Mode mode() {
        return mode;
    }

    /** Returns the signature with the newest key; empty if signing is off. */
    public Optional<Signature> sign(EventMessage event) {
        return sign(() -> SignedContent.of(event));
    }

    /**
     * Signs a record that consists of texts. The signature binds each text to its place in the list.
     *
     * @param layout names the kind of record and the order of its fields, so that no signature fits another kind
     */
    public Optional<Signature> sign(String layout, List<String> fields) {
        return sign(() -> SignedContent.of(layout, fields));
    }

    private Optional<Signature> sign(Supplier<byte[]> content) {
        SecretKeySpec key = newest == null ? null : keys.get(newest);
        return newest == null || key == null
                ? Optional.empty()
                : Optional.of(new Signature(newest, authenticate(key, content.get())));
    }

    /** Returns why a record is rejected; empty if it is accepted. Never reveals the expected signature. */
    public Optional<String> rejection(EventMessage event, @Nullable Signature signature) {
        return rejection(() -> SignedContent.of(event), signature);
    }

    /** Same as {@link #rejection(EventMessage, Signature)}, for a record that consists of texts. */
    public Optional<String> rejection(String layout, List<String> fields, @Nullable Signature signature) {
        return rejection(() -> SignedContent.of(layout, fields), signature);
    }

    private Optional<String> rejection(Supplier<byte[]> content, @Nullable Signature signature) {
        if (mode == Mode.OFF) {
            return Optional.empty();
        }
        if (signature == null) {
            return mode == Mode.REQUIRED ? Optional.of("it is not signed") : Optional.empty();
        }
        SecretKeySpec key = keys.get(signature.keyId);
        if (key == null) {
            return Optional.of("it is signed with the unknown key " + signature.keyId);
        }
        return MessageDigest.isEqual(authenticate(key, content.get()), signature.bytes)
                ? Optional.empty()
                : Optional.of("its signature with key " + signature.keyId + " does not match its content");
    }

    private static List<Key> joined(Key newest, Key... others) {
        return Stream.concat(Stream.of(newest), Stream.of(others)).toList();
    }

    private static byte[] authenticate(SecretKeySpec key, byte[] content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /** How strictly signatures are verified. */
    public enum Mode {
        OFF,
        /** For the transition, while some services do not sign yet. */
        ACCEPT_UNSIGNED,
        REQUIRED
    }

    /** A shared secret with an id, which is sent with every signature. {@code toString} never shows the secret. */
    public static final class Key {

        private final String id;
        private final SecretKeySpec secret;

        /** @throws PermanentException if the secret is too short, or the id is blank */
        public Key(String id, byte[] secret) {
            if (id.isBlank()) {
                throw new PermanentException("a key for signing records needs an id");
            }
            if (secret.length < MIN_SECRET_BYTES) {
                throw new PermanentException("key " + id + " for signing records has " + secret.length
                        + " bytes; it needs at least " + MIN_SECRET_BYTES);
            }
            this.id = id;
            this.secret = new SecretKeySpec(secret, ALGORITHM);
        }

        @Override
        public String toString() {
            return "key " + id;
        }
    }

    /** The signature that is sent with a record. */
    public static final class Signature {

        private final String keyId;
        private final byte[] bytes;

        public Signature(String keyId, byte[] bytes) {
            this.keyId = keyId;
            this.bytes = bytes.clone();
        }

        public String keyId() {
            return keyId;
        }

        public byte[] bytes() {
            return bytes.clone();
        }

        @Override
        public String toString() {
            return "signature with key " + keyId;
        }
    }
}
