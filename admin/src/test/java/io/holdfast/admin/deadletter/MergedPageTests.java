package io.holdfast.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.deadletter.DeadLetterPart.PlacedEntry;
import io.holdfast.deadletter.entry.EntryCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MergedPageTests {

    private static final Instant NEWEST = Instant.parse("2026-01-31T08:00:00Z");

    /** An entry whose sequence was parked some seconds before the newest one. */
    private static EntryCursor place(String service, int secondsAgo) {
        return new EntryCursor(NEWEST.minusSeconds(secondsAgo), service + "/p/c", "s", 0);
    }

    private static DeadLetterPart part(String service, @Nullable EntryCursor end, Integer... secondsAgo) {
        return part(service, end, false, secondsAgo);
    }

    private static DeadLetterPart part(
            String service, @Nullable EntryCursor end, boolean stoppedEarly, Integer... secondsAgo) {
        List<PlacedEntry> entries = Arrays.stream(secondsAgo)
                .map(seconds -> new PlacedEntry(place(service, seconds), entry(service + seconds)))
                .toList();
        return new DeadLetterPart(entries, end, stoppedEarly, entries.size(), false, null);
    }

    private static DeadLetterEntry entry(String key) {
        return DeadLetterEntry.builder()
                .originalEventId(new UUID(0, 1))
                .key(key)
                .build();
    }

    private static List<String> keys(DeadLetterPage page) {
        return page.entries().stream().map(DeadLetterEntry::key).toList();
    }

    @Test
    void ordersTheEntriesOfAllServices() {
        DeadLetterPage page = MergedPage.of(List.of(part("a", null, 1, 4), part("b", null, 2, 3)), 10, List.of("c"));

        assertThat(keys(page)).containsExactly("a1", "b2", "b3", "a4");
        assertThat(page.next()).isNull();
        assertThat(page.total()).isEqualTo(4);
        assertThat(page.incomplete()).containsExactly("c");
    }

    @Test
    void continuesBehindTheLastEntryOfAFullPage() {
        DeadLetterPage page = MergedPage.of(List.of(part("a", null, 1, 4), part("b", null, 2, 3)), 3, List.of());

        assertThat(keys(page)).containsExactly("a1", "b2", "b3");
        assertThat(page.next()).isEqualTo(place("b", 3));
    }

    @Test
    void hasNoNextPageIfTheFullPageIsTheLast() {
        DeadLetterPage page = MergedPage.of(List.of(part("a", null, 1), part("b", null, 2)), 2, List.of());

        assertThat(page.next()).isNull();
    }

    @Test
    void withholdsEntriesBehindTheEndOfAnotherPart() {
        DeadLetterPage page =
                MergedPage.of(List.of(part("a", place("a", 2), 1, 2), part("b", null, 1, 2, 3, 4)), 10, List.of());

        assertThat(keys(page)).contains("a1", "a2", "b1").doesNotContain("b3", "b4");
        assertThat(page.next()).isEqualTo(place("a", 2));
        assertThat(page.searchedUntil()).isNull();
    }

    @Test
    void reportsHowFarASearchGotThatStoppedEarly() {
        EntryCursor end = place("a", 500);

        DeadLetterPage page = MergedPage.of(List.of(part("a", end, true, 7), part("b", null, 600)), 10, List.of());

        assertThat(keys(page)).containsExactly("a7");
        assertThat(page.next()).isEqualTo(end);
        assertThat(page.searchedUntil()).isEqualTo(end.time());
    }

    /** Pages over parts that end at random places list every entry once, in order. */
    @Test
    void pagesListEveryEntryOnceWhateverThePartsReturn() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            List<EntryCursor> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                all.add(new EntryCursor(
                        NEWEST.minusSeconds(random.nextInt(15)), "abc".charAt(random.nextInt(3)) + "/p/c", "s" + i, 0));
            }
            all.sort(Comparator.naturalOrder());

            assertThat(pages(all, random)).as("seed %s", seed).isEqualTo(all);
        }
    }

    private static List<EntryCursor> pages(List<EntryCursor> all, Random random) {
        List<EntryCursor> listed = new ArrayList<>();
        EntryCursor after = null;
        do {
            int limit = 1 + random.nextInt(10);
            EntryCursor cursor = after;
            List<DeadLetterPart> parts = List.of("a", "b", "c").stream()
                    .map(service -> randomPart(all, service, cursor, limit, random))
                    .toList();
            DeadLetterPage page = MergedPage.of(parts, limit, List.of());
            page.entries().forEach(entry -> listed.add(all.get(Integer.parseInt(entry.key()))));
            after = page.next();
        } while (after != null);
        return listed;
    }

    /** Returns fewer entries than there are, as a service does whose search or reply is bounded. */
    private static DeadLetterPart randomPart(
            List<EntryCursor> all, String service, @Nullable EntryCursor after, int limit, Random random) {
        List<PlacedEntry> remaining = all.stream()
                .filter(place -> place.component().startsWith(service))
                .filter(place -> after == null || place.compareTo(after) > 0)
                .map(place -> new PlacedEntry(place, entry(Integer.toString(all.indexOf(place)))))
                .toList();
        int size = Math.min(remaining.size(), random.nextBoolean() ? limit : 1 + random.nextInt(limit));
        EntryCursor end = size < remaining.size() ? remaining.get(size - 1).place() : null;
        return new DeadLetterPart(remaining.subList(0, size), end, false, 0, false, null);
    }
}
