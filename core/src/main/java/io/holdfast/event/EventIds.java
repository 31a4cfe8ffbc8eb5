package io.holdfast.event;

import io.holdfast.PermanentException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Creates event ids: UUIDs of version 7, whose first 48 bits are a timestamp in milliseconds, so that ids created
 * together are stored together.
 *
 * <p>An id that is derived from a cause is deterministic: handling the same cause again yields the same id. This
 * makes a second run detectable.
 */
public final class EventIds {

    private static final long TIME_BITS = 0xFFFF_FFFF_FFFF_0000L;

    private EventIds() {}

    /** Returns a new, unique id with this timestamp. */
    public static UUID random(Instant time) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return versionSeven(time.toEpochMilli() << 16, random.nextLong(), random.nextLong());
    }

    /**
     * Returns the id of the {@code index}-th event that a component produces for a cause. It starts with the cause's
     * timestamp.
     */
    public static UUID derive(UUID cause, String component, int index) {
        MessageDigest digest = sha256();
        digest.update(ByteBuffer.allocate(20)
                .putLong(cause.getMostSignificantBits())
                .putLong(cause.getLeastSignificantBits())
                .putInt(index)
                .flip());
        digest.update(component.getBytes(StandardCharsets.UTF_8));
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return versionSeven(cause.getMostSignificantBits(), hash.getLong(), hash.getLong());
    }

    /**
     * Returns the id of a command that its caller identifies by a text, such as an {@code Idempotency-Key}. The same
     * scope and text always yield the same id; two scopes never share one.
     *
     * @throws PermanentException if a text has an unpaired surrogate: two such texts would yield the same id
     */
    public static UUID ofCommand(String scope, String text) {
        if (Names.hasUnpairedSurrogate(scope) || Names.hasUnpairedSurrogate(text)) {
            throw new PermanentException(
                    "the idempotency key of a command must not contain an unpaired surrogate, which"
                            + " makes it equal to other keys; cut texts only between whole characters");
        }
        MessageDigest digest = sha256();
        digest.update(ByteBuffer.allocate(4).putInt(scope.length()).flip());
        digest.update((scope + text).getBytes(StandardCharsets.UTF_8));
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return versionSeven(hash.getLong(), hash.getLong(), hash.getLong());
    }

    private static UUID versionSeven(long time, long high, long low) {
        return new UUID((time & TIME_BITS) | 0x7000L | (high & 0x0FFFL), 0x8000_0000_0000_0000L | (low >>> 2));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
