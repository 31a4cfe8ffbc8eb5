package io.holdfast.failover;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the log must still contain, because this process has seen it.
 *
 * @param newest the event at the highest position that an earlier check has found, or null
 * @param commits the highest number of commits
 * @param folded events on which states were built since that check
 * @param reads the number of events that were read since that check
 */
public record Witnessed(@Nullable SeenEvent newest, long commits, List<SeenEvent> folded, int reads) {

    /** Nothing was seen, so nothing can be missing. */
    public static final Witnessed NOTHING = new Witnessed(null, 0, List.of(), 0);

    public Witnessed {
        folded = List.copyOf(folded);
    }

    /** Returns the position whose event a {@link HeadReading} must name; 0 if there is none. */
    public long position() {
        return newest == null ? 0 : newest.position();
    }

    /** Returns the ids of the events on which states were built, each once. */
    public List<UUID> foldedIds() {
        return folded.stream().map(SeenEvent::id).distinct().toList();
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
        int missing = foldedIds().size() - head.foldedFound();
        if (missing > 0) {
            throw new TailLostException("the log has lost " + missing + " events on which states were built");
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
