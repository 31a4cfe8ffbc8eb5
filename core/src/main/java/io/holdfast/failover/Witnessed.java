package io.holdfast.failover;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the log must still contain, because this process has seen it.
 *
 * @param newest the event at the highest position that an earlier check has found, or null
 * @param commits the highest number of commits
 * @param unverified events that were seen since that check: those on which states were built, then others that were read
 * @param reads the number of the others
 */
public record Witnessed(@Nullable SeenEvent newest, long commits, List<SeenEvent> unverified, int reads) {

    /** Nothing was seen, so nothing can be missing. */
    public static final Witnessed NOTHING = new Witnessed(null, 0, List.of(), 0);

    public Witnessed {
        unverified = List.copyOf(unverified);
    }

    /** Returns the position whose event a {@link HeadReading} must name; 0 if there is none. */
    public long position() {
        return newest == null ? 0 : newest.position();
    }

    /**
     * Compares by id: positions and numbers of commits alone prove nothing, because another replica may have reused them
     * since. An event below the head that is missing was removed by retention.
     *
     * @throws TailLostException if the log has lost what was seen
     */
    public void requireIn(HeadReading head) {
        if (head.commits() < commits) {
            throw new TailLostException("the log is at commit " + head.commits() + ", but was at commit " + commits);
        }
        if (head.unverifiedLost() > 0) {
            throw new TailLostException("the log has lost " + head.unverifiedLost() + " events that were read");
        }
        if (newest == null) {
            return;
        }
        boolean isReplaced = head.idAtPosition() != null && !head.idAtPosition().equals(newest.id());
        if (head.position() < newest.position() || isReplaced) {
            throw new TailLostException("the log ends at position " + head.position() + " and has lost event "
                    + newest.id() + " at position " + newest.position());
        }
    }
}
