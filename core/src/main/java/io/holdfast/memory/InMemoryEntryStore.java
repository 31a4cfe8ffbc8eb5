package io.holdfast.memory;

import io.holdfast.PermanentException;
import io.holdfast.deadletter.CauseGroup;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOriginal;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.deadletter.entry.Entry;
import io.holdfast.deadletter.entry.EntryCount;
import io.holdfast.deadletter.entry.EntryCursor;
import io.holdfast.deadletter.entry.EntryDetails;
import io.holdfast.deadletter.entry.EntryPage;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.deadletter.entry.GroupQuery;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads entries by sorting all of them. Examines as many as other stores do, so that pages are the same. */
final class InMemoryEntryStore implements EntryStore {

    private final InMemoryDeadLetters letters;
    private final Clock clock;

    InMemoryEntryStore(InMemoryDeadLetters letters, Clock clock) {
        this.letters = letters;
        this.clock = clock;
    }

    @Override
    public EntryPage find(EntryQuery query) {
        List<Entry> page = new ArrayList<>();
        EntryCursor last = null;
        int examined = 0;
        for (Entry entry : candidates(query)) {
            if (page.size() == query.limit()) {
                return new EntryPage(page, page.get(page.size() - 1).cursor(), null);
            }
            if (last != null && examined == MAX_EXAMINED && query.examinesLetters() && !query.selectsFew()) {
                return new EntryPage(page, last, last.time());
            }
            last = entry.cursor();
            examined++;
            if (query.matches(entry)) {
                page.add(entry);
            }
        }
        return new EntryPage(page, null, null);
    }

    private List<Entry> candidates(EntryQuery query) {
        return Stream.concat(letters.entries().stream(), letters.actions().entries().stream())
                .filter(query::covers)
                .sorted(Comparator.comparing(Entry::cursor))
                .toList();
    }

    @Override
    public EntryCount count(EntryQuery query) {
        List<Entry> candidates = candidates(query.after(null));
        boolean isLimited = query.examinesLetters() && !query.selectsFew() && candidates.size() > MAX_COUNTED;
        long count = candidates.stream()
                .limit(isLimited ? MAX_COUNTED : Long.MAX_VALUE)
                .filter(query::matches)
                .count();
        return new EntryCount(count, isLimited);
    }

    @Override
    public Optional<EntryDetails> find(String component, UUID event) {
        DeadLetter letter = letters.read(component, queue -> queue.letter(event));
        return letter == null
                ? letters.actions().findResolved(component, event).flatMap(this::details)
                : details(letter);
    }

    private Optional<EntryDetails> details(DeadLetter letter) {
        return letters.read(letter.sequence().component(), queue -> {
            ParkedSequence sequence = queue.sequence(letter.sequence().sequence());
            int position = queue.letters(letter.sequence().sequence())
                    .headMap(letter.number(), true)
                    .size();
            return Optional.ofNullable(sequence)
                    .map(found -> new EntryDetails(Entry.of(found, letter, position), letter, originals(letter)));
        });
    }

    private Optional<EntryDetails> details(ResolvedLetter resolved) {
        return Entry.of(resolved)
                .map(entry -> new EntryDetails(entry, resolved.letter(), originals(resolved.letter())));
    }

    private List<LetterOriginal> originals(DeadLetter letter) {
        return letters.actions()
                .originals(letter.sequence().component(), letter.message().id());
    }

    @Override
    public List<CauseGroup> groups(GroupQuery query) {
        return letters.groups().find(query);
    }

    @Override
    public boolean note(String group, @Nullable String text, String by) {
        if (text != null && text.length() > CauseGroup.MAX_NOTE) {
            throw new PermanentException("a note must have at most " + CauseGroup.MAX_NOTE + " characters");
        }
        return letters.groups().note(group, text, by, clock.instant());
    }
}
