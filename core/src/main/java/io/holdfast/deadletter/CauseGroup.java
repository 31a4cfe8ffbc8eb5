package io.holdfast.deadletter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one component that failed for the same reason: the same exception, the same root cause, and the same
 * place in the application.
 *
 * @param component the stable id of the component
 * @param id as {@link #id}
 * @param causeType the class of the newest cause
 * @param causeMessage the message of the newest cause, as an example; null if it has none
 * @param pending the number of letters in PENDING sequences
 * @param parked the number of letters in all states
 * @param firstSeen the time of the first failure
 * @param lastSeen the time of the newest failure
 * @param note what operators know about it, or null
 * @param noteBy the operator who wrote the note, or null
 * @param notedAt when the note was written, or null
 */
public record CauseGroup(
        String component,
        String id,
        String causeType,
        @Nullable String causeMessage,
        long pending,
        long parked,
        Instant firstSeen,
        Instant lastSeen,
        @Nullable String note,
        @Nullable String noteBy,
        @Nullable Instant notedAt) {

    /** Maximum length of a note. */
    public static final int MAX_NOTE = 2_000;

    private static final int HASH_BYTES = 16;

    /**
     * Returns the group of a cause: a hash of the component, the exception's class, the class of its root cause, and the
     * first frame of the application without its line number. A release that moves lines does not split a group.
     */
    public static String id(String component, Cause cause) {
        return hash(
                String.join("\n", component, cause.type(), rootType(cause), ApplicationFrame.of(cause.stackTrace())));
    }

    private static String rootType(Cause cause) {
        List<String> chain = cause.chain();
        if (chain.isEmpty()) {
            return cause.type();
        }
        String root = chain.get(chain.size() - 1);
        int end = root.indexOf(": ");
        return end < 0 ? root : root.substring(0, end);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
