package io.holdfast.processing.replay;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceCursor;
import io.holdfast.deadletter.SequenceId;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects parked sequences of a component by their first letters, earliest next attempt first, each once, page by page.
 * Sequences parked after the start are not selected, or the selection might never end. Not thread-safe.
 */
final class NextDueFirst implements ReplaySelection {

    private static final int PAGE_SIZE = 500;

    /** Extra sequences per page, because some may be in progress already. */
    private static final int PAGE_MARGIN = 10;

    /** The maximum number of pages read in one step of the coordinator. */
    private static final int MAX_PAGES_PER_STEP = 4;

    private final DeadLetterStore store;
    private final String component;
    private final @Nullable Predicate<DeadLetter> firstLetter;
    private final Clock clock;
    private final Instant startedAt;
    private final int page;
    private final Queue<ParkedSequence> chosen = new ArrayDeque<>();
    private final Set<String> examined = new HashSet<>();
    private @Nullable SequenceCursor lastRead;
    private boolean exhausted;
    private int pagesRead;

    /**
     * @param firstLetter the first letters to select; null selects all, without reading letters
     * @param limit the maximum number of sequences wanted
     */
    NextDueFirst(
            DeadLetterStore store,
            String component,
            @Nullable Predicate<DeadLetter> firstLetter,
            long limit,
            Clock clock) {
        this.store = store;
        this.component = component;
        this.firstLetter = firstLetter;
        this.clock = clock;
        this.startedAt = limit == 1 ? Instant.MAX : clock.instant();
        this.page = firstLetter == null && limit < PAGE_SIZE ? (int) limit + PAGE_MARGIN : PAGE_SIZE;
    }

    @Override
    public long examined() {
        return examined.size();
    }

    @Override
    public boolean isExhausted() {
        return exhausted && chosen.isEmpty();
    }

    @Override
    public void beginStep() {
        pagesRead = 0;
    }

    @Override
    public void startOver() {
        lastRead = null;
        exhausted = false;
    }

    @Override
    public @Nullable ParkedSequence next(Predicate<SequenceId> isInProgress) {
        while (true) {
            ParkedSequence next = chosen.poll();
            if (next == null && !exhausted && pagesRead < MAX_PAGES_PER_STEP) {
                readPage();
            } else if (next == null || !isInProgress.test(next.id())) {
                return next;
            }
        }
    }

    private void readPage() {
        pagesRead++;
        List<ParkedSequence> read = store.findByNextAttempt(component, lastRead, page);
        Instant now = clock.instant();
        List<ParkedSequence> unseen = read.stream()
                .filter(sequence -> !isParkedBetween(sequence, startedAt, now))
                .filter(sequence -> !examined.contains(sequence.id().sequence()))
                .toList();
        chosen.addAll(firstLetter == null ? unseen : matching(unseen, firstLetter));
        unseen.forEach(sequence -> examined.add(sequence.id().sequence()));
        exhausted = read.size() < page;
        lastRead = read.isEmpty() ? lastRead : SequenceCursor.byNextAttempt(read.get(read.size() - 1));
    }

    /** A time in the future shows that a clock was set back, or that another is ahead: the sequence may be old. */
    private static boolean isParkedBetween(ParkedSequence sequence, Instant start, Instant now) {
        return sequence.since().isAfter(start) && !sequence.since().isAfter(now);
    }

    private List<ParkedSequence> matching(List<ParkedSequence> sequences, Predicate<DeadLetter> wanted) {
        Map<SequenceId, List<DeadLetter>> first = store.findFirstLetters(sequences, 1);
        return sequences.stream()
                .filter(sequence -> first.getOrDefault(sequence.id(), List.of()).stream()
                        .limit(1)
                        .anyMatch(wanted))
                .toList();
    }
}
