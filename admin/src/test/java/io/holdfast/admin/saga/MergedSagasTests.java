package io.holdfast.admin.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.gateway.Gathered;
import io.holdfast.admin.saga.FoundSagas.Entry;
import io.holdfast.saga.SagaKind;
import io.holdfast.saga.SagaStatus;
import io.holdfast.view.RowCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergedSagasTests {

    private static final Instant NEWEST = Instant.parse("2026-11-19T12:00:00Z");
    private static final Comparator<RowCursor> NEWEST_FIRST =
            Comparator.comparing(RowCursor::at).thenComparing(RowCursor::key).reversed();

    private static Entry saga(String service, String id, int secondsAgo) {
        Instant at = NEWEST.minusSeconds(secondsAgo);
        SagaDetails details = new SagaDetails(
                id,
                "Trip",
                SagaKind.CHOREOGRAPHED,
                SagaStatus.STARTED,
                1,
                service,
                null,
                null,
                at,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                List.of());
        return new Entry(details, new RowCursor(at, id));
    }

    private static List<String> ids(MergedSagas page) {
        return page.sagas().stream()
                .map(saga -> saga.service() + "/" + saga.sagaId())
                .toList();
    }

    /** Answers as a service does. */
    private static FoundSagas find(List<Entry> sagas, @Nullable RowCursor after, int limit) {
        List<Entry> rest = sagas.stream()
                .filter(entry -> after == null || NEWEST_FIRST.compare(entry.cursor(), after) > 0)
                .sorted(Comparator.comparing(Entry::cursor, NEWEST_FIRST))
                .toList();
        return rest.size() > limit
                ? new FoundSagas(
                        true, rest.subList(0, limit), rest.get(limit - 1).cursor())
                : new FoundSagas(true, rest, null);
    }

    private static MergedSagas page(Map<String, List<Entry>> services, @Nullable RowCursor after, int limit) {
        Map<String, FoundSagas> answers = new HashMap<>();
        services.forEach((service, sagas) -> answers.put(service, find(sagas, after, limit)));
        return MergedSagas.of(new Gathered<>(answers, List.of()), limit);
    }

    private static List<String> readAll(Map<String, List<Entry>> services, int limit) {
        List<String> read = new ArrayList<>();
        RowCursor after = null;
        do {
            MergedSagas page = page(services, after, limit);
            read.addAll(ids(page));
            after = page.next();
        } while (after != null);
        return read;
    }

    @Test
    void mergesNewestFirst() {
        Map<String, List<Entry>> services = Map.of(
                "a", List.of(saga("a", "a1", 1), saga("a", "a3", 3)),
                "b", List.of(saga("b", "b2", 2), saga("b", "b4", 4)));

        MergedSagas page = page(services, null, 10);

        assertThat(ids(page)).containsExactly("a/a1", "b/b2", "a/a3", "b/b4");
        assertThat(page.next()).isNull();
        assertThat(page.tracked()).isTrue();
    }

    @Test
    void readsAllPagesWithOneCursor() {
        Map<String, List<Entry>> services = Map.of(
                "a", List.of(saga("a", "a1", 1), saga("a", "a2", 2), saga("a", "a3", 3)),
                "b", List.of(saga("b", "b9", 9)));

        assertThat(readAll(services, 2)).containsExactly("a/a1", "a/a2", "a/a3", "b/b9");
    }

    @Test
    void neverSeparatesSagasWithTheSameCursor() {
        Map<String, List<Entry>> services = Map.of(
                "a", List.of(saga("a", "same", 1)),
                "b", List.of(saga("b", "same", 1)),
                "c", List.of(saga("c", "older", 2)));

        assertThat(readAll(services, 1)).containsExactly("a/same", "b/same", "c/older");
    }

    /** A service that searched its limit of rows may have sagas older than that. */
    @Test
    void continuesWhereASearchHasStopped() {
        RowCursor stopped = saga("a", "x", 5).cursor();
        Map<String, FoundSagas> answers = Map.of(
                "a", new FoundSagas(true, List.of(), stopped),
                "b", new FoundSagas(true, List.of(saga("b", "b1", 1), saga("b", "b9", 9)), null));

        MergedSagas page = MergedSagas.of(new Gathered<>(answers, List.of("c")), 10);

        assertThat(ids(page)).containsExactly("b/b1");
        assertThat(page.next()).isEqualTo(stopped);
        assertThat(page.incomplete()).containsExactly("c");
    }

    @Test
    void isNotTrackedIfNoServiceTracksTheType() {
        MergedSagas page = MergedSagas.of(new Gathered<>(Map.of("a", FoundSagas.NOT_TRACKED), List.of()), 10);

        assertThat(page.tracked()).isFalse();
        assertThat(page.next()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 50})
    void readsEverySagaOnceInOrder(int limit) {
        Random random = new Random(limit);
        Map<String, List<Entry>> services = new HashMap<>();
        for (String service : List.of("a", "b", "c", "d")) {
            services.put(
                    service,
                    IntStream.range(0, 25)
                            .mapToObj(id -> saga(service, "s" + id, random.nextInt(10)))
                            .toList());
        }
        List<String> expected = services.values().stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Entry::cursor, NEWEST_FIRST)
                        .thenComparing(entry -> entry.saga().service()))
                .map(entry -> entry.saga().service() + "/" + entry.saga().sagaId())
                .toList();

        assertThat(readAll(services, limit)).isEqualTo(expected);
    }
}
