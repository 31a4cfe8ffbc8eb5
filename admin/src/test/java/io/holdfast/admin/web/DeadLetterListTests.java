package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.web.AdminClient.Response;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class DeadLetterListTests extends WarehouseTest {

    @Test
    void listsEntriesWithoutTheirContent() {
        String key = newKey();
        String id = park(key, "vase").get(0);

        Response response = client.get(DLQ);

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.total()).isEqualTo("1");
        JsonNode entry = response.json().get(0);
        String event = entry.path("originalEventId").asString();
        assertThat(id).isEqualTo(event + "~warehouse~shipping~packing");
        assertThat(entry.propertyNames())
                .containsExactlyInAnyOrder(
                        "dlqEntryId",
                        "originalEventId",
                        "eventType",
                        "topicName",
                        "failureReason",
                        "failureType",
                        "failureTimestamp",
                        "causeGroup",
                        "sourceService",
                        "sagaId",
                        "correlationId",
                        "status",
                        "component",
                        "processor",
                        "queue",
                        "sequence",
                        "positionInSequence",
                        "sequenceSize",
                        "attempts",
                        "replayCount",
                        "key",
                        "enqueuedAt",
                        "lastTouched");
        assertThat(entry.path("eventType").asString()).isEqualTo("ItemOrdered");
        assertThat(entry.path("failureReason").asString()).isEqualTo("cannot pack vase");
        assertThat(entry.path("failureType").asString()).isEqualTo(Warehouse.BrokenItemException.class.getName());
        assertThat(entry.path("failureTimestamp").asString()).endsWith("Z");
        assertThat(entry.path("sourceService").asString()).isEqualTo("warehouse");
        assertThat(entry.path("sagaId").asString()).isEqualTo("saga-" + key);
        assertThat(entry.path("correlationId").asString()).isEqualTo("correlation-" + key);
        assertThat(entry.path("status").asString()).isEqualTo("PENDING");
        assertThat(entry.path("queue").asString()).isEqualTo("DeadLetterQueue[shipping][packing]");
        assertThat(entry.path("positionInSequence").asInt()).isEqualTo(1);
        assertThat(entry.path("sequenceSize").asInt()).isEqualTo(1);
        assertThat(entry.path("attempts").asInt()).isEqualTo(1);
        assertThat(entry.path("topicName").asString()).isEqualTo("orders");
        assertThat(entry.path("key").asString()).isEqualTo(key);
    }

    @Test
    void listsTheNewestSequenceFirstAndItsLettersInOrder() {
        String older = newKey();
        String newer = newKey();
        List<String> first = park(older, "vase", "bowl");
        List<String> second = park(newer, "vase", "bowl", "jug");

        assertThat(client.get(DLQ).all("dlqEntryId"))
                .containsExactly(second.get(0), second.get(1), second.get(2), first.get(0), first.get(1));
        assertThat(client.get(DLQ).all("positionInSequence")).containsExactly("1", "2", "3", "1", "2");
    }

    @Test
    void returnsPages() {
        List<String> older = park(newKey(), "vase", "a", "b", "c", "d", "e");
        List<String> newer = park(newKey(), "vase", "a");

        Response first = client.get(DLQ + "?limit=3");
        Response second = client.get(DLQ + "?limit=3&page=1");
        Response third = client.get(DLQ + "?limit=3&page=2");
        Response beyond = client.get(DLQ + "?limit=3&page=3332");
        Response tooFar = client.get(DLQ + "?limit=3&page=3333");

        assertThat(first.all("dlqEntryId")).containsExactly(newer.get(0), newer.get(1), older.get(0));
        assertThat(second.all("dlqEntryId")).isEqualTo(older.subList(1, 4));
        assertThat(third.all("dlqEntryId")).isEqualTo(older.subList(4, 6));
        assertThat(third.all("positionInSequence")).containsExactly("5", "6");
        assertThat(beyond.json().isEmpty()).isTrue();
        assertProblem(tooFar, 400);
        assertThat(List.of(first, second, third, beyond))
                .allSatisfy(page -> assertThat(page.total()).isEqualTo("8"));
    }

    @Test
    void linksToTheNextPage() {
        List<String> ids = park(newKey(), "vase", "a", "b", "c", "d");

        Response first = client.get(DLQ + "?limit=2&eventType=ItemOrdered");
        Response second = client.get(first.next());
        Response third = client.get(second.next());

        assertThat(first.all("dlqEntryId")).isEqualTo(ids.subList(0, 2));
        assertThat(second.all("dlqEntryId")).isEqualTo(ids.subList(2, 4));
        assertThat(third.all("dlqEntryId")).isEqualTo(ids.subList(4, 5));
        assertThat(third.next()).isEmpty();
        assertProblem(client.get(DLQ + "?cursor=elsewhere"), 400);
    }

    @Test
    void returnsPagesOfASequenceWithGaps() {
        List<String> ids = park(newKey(), "vase", "a", "b", "c", "d", "e", "f");
        client.delete(DLQ + "/" + ids.get(1));
        client.delete(DLQ + "/" + ids.get(2));

        Response second = client.get(DLQ + "?limit=2&page=1");

        assertThat(second.all("dlqEntryId")).containsExactly(ids.get(4), ids.get(5));
        assertThat(second.all("positionInSequence")).containsExactly("3", "4");
        assertThat(inspect(ids.get(5)).field("positionInSequence")).isEqualTo("4");
    }

    @Test
    void countsPendingLetters() {
        park(newKey(), "vase", "bowl");
        String retried = newKey();
        warehouse.failing.add("lamp");
        Warehouse.order(service, retried, "lamp");
        awaitParked(retried, 1);

        assertThat(client.get(DLQ + "/count").text()).isEqualTo("{\"count\":2,\"incomplete\":[]}");
        assertThat(client.get(DLQ).total()).as("PENDING by default").isEqualTo("2");
        assertThat(client.get(PARKED).total()).isEqualTo("3");
    }

    @Test
    void appliesFilters() {
        String pending = newKey();
        List<String> ids = park(pending, "vase", "bowl");
        String retried = newKey();
        warehouse.failing.add("lamp");
        Warehouse.order(service, retried, "lamp");
        String retrying = awaitParked(retried, 1).get(0);

        assertFound("status=PENDING", ids);
        assertFound("status=retrying", List.of(retrying));
        assertFound("status=HELD", List.of());
        assertFound("component=packing&status=PENDING", ids);
        assertFound("component=shipping/packing&status=PENDING", ids);
        assertFound("component=warehouse/shipping/packing&status=PENDING", ids);
        assertFound("component=labelling", List.of());
        assertFound("processor=labels", List.of());
        assertFound("processor=shipping&status=RETRYING", List.of(retrying));
        assertFound("service=elsewhere", List.of());
        assertThat(client.get(DLQ + "?service=elsewhere").header("X-Incomplete"))
                .isEqualTo("elsewhere");
        assertFound("key=" + pending, ids);
        assertFound("correlationId=correlation-" + pending, ids);
        assertFound("eventId=" + ids.get(1).substring(0, 36), ids.subList(1, 2));
        assertFound("causeType=io.holdfast.admin.Warehouse$BrokenItemException", ids.subList(0, 1));
        assertFound("text=PACK%20VASE", ids.subList(0, 1));
        assertFound("group=" + inspect(ids.get(0)).field("causeGroup"), ids);
        assertFound("from=2100-01-01T00:00:00Z", List.of());
        assertFound("to=2100-01-01T00:00:00Z", ids);
        assertFound("status=PENDING,RETRYING&from=2100-01-01T00:00:00Z", List.of());
        assertFound("service=warehouse&status=PENDING", ids);
        assertFound("eventType=ItemOrdered&status=PENDING", ids);
        assertFound("eventType=ItemReturned", List.of());
        assertFound("status=RETRYING&sagaId=saga-" + retried, List.of(retrying));
        assertFound("sagaId=saga-" + retried + "&status=PENDING", List.of());
        assertFound("status=&sagaId=saga-" + pending, ids);
        assertThat(client.get(DLQ + "?limit=1&page=1&sagaId=saga-" + pending).all("dlqEntryId"))
                .containsExactly(ids.get(1));
    }

    private void assertFound(String query, List<String> ids) {
        Response response = client.get(DLQ + "?" + query);
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(response.all("dlqEntryId")).as(query).isEqualTo(ids);
        assertThat(response.total()).as(query).isEqualTo(Integer.toString(ids.size()));
    }

    @Test
    void reportsAllInvalidParametersAtOnce() {
        Response response = client.get(
                DLQ + "?limit=501&page=-1&status=PENDING,LOST&statu=PENDING&sagaId=a&sagaId=b&from=now&eventId=1");

        assertProblem(response, 400);
        assertThat(response.json().path("errors").valueStream().map(JsonNode::asString))
                .containsExactlyInAnyOrder(
                        "limit must be a number, 1 to 500, but is 501",
                        "page must be a number, 0 to 499, but is -1",
                        "status must be one or several of [PENDING, RETRYING, HELD, REPLAYED, DISCARDED], separated by"
                                + " commas, but is PENDING,LOST",
                        "from must be a time such as 2026-01-31T08:00:00Z, but is now",
                        "eventId must be a UUID, but is 1",
                        "statu is not a parameter; the parameters are "
                                + String.join(", ", DeadLetterController.PARAMETERS),
                        "sagaId must be given once, but is given 2 times");
        assertProblem(client.get(DLQ + "?limit=0"), 400);
        assertProblem(client.get(DLQ + "?limit=many"), 400);
    }

    @Test
    void listsComponentsOrProcessorsIfTheGivenOneIsUnknown() {
        Response component = client.get(DLQ + "?component=pakcing");
        Response processor = client.get(DLQ + "?processor=shiping&status=PENDING");

        assertProblem(component, 400);
        assertThat(component.field("detail"))
                .contains("component: unknown component pakcing")
                .contains("warehouse/shipping/packing")
                .contains("warehouse/labels/labelling");
        assertProblem(processor, 400);
        assertThat(processor.field("detail"))
                .isEqualTo("processor: unknown processor shiping; service warehouse has [labels, shipping]");
        assertFound("service=elsewhere&component=pakcing", List.of());
        assertFound("component=labelling&processor=labels", List.of());
    }

    @Test
    void inspectsALetterWithItsFullContext() {
        String key = newKey();
        List<String> ids = park(key, "vase", "bowl", "jug");

        JsonNode first = inspect(ids.get(0)).json();
        JsonNode behind = inspect(ids.get(1)).json();

        assertThat(first.path("dlqEntryId").asString()).isEqualTo(ids.get(0));
        assertThat(inspect(ids.get(0)).text())
                .as("numbers exactly as they were written")
                .contains("\"payload\":{\"item\":\"vase\",\"price\":12345678901234567890.10}");
        assertThat(first.path("cause").path("message").asString()).isEqualTo("cannot pack vase");
        assertThat(first.path("cause").path("stackTrace").asString())
                .contains("Caused by: java.lang.IllegalArgumentException: no box fits vase");
        assertThat(first.path("cause").path("chain").get(0).asString())
                .isEqualTo("java.lang.IllegalArgumentException: no box fits vase");
        assertThat(first.path("attemptHistory").get(0).path("failure").asString())
                .endsWith("cannot pack vase");
        assertThat(first.path("attemptHistory").get(0).path("by").asString()).startsWith("warehouse-");
        assertThat(first.path("metadata").path("sagaType").asString()).isEqualTo("Fulfilment");
        assertThat(first.path("diagnostics").isObject()).isTrue();
        assertThat(first.path("eventSource").asString()).isEqualTo("warehouse");
        assertThat(first.path("eventSequence").asInt()).isEqualTo(1);
        assertThat(inspect(ids.get(0)).header("ETag"))
                .isEqualTo("\"" + first.path("version").asString() + "\"");
        assertThat(first.path("before").isEmpty()).isTrue();
        assertThat(texts(first.path("behind"))).isEqualTo(ids.subList(1, 3));
        assertThat(texts(behind.path("before"))).containsExactly(ids.get(0));
        assertThat(texts(behind.path("behind"))).containsExactly(ids.get(2));
        assertThat(behind.has("cause")).as("never attempted").isFalse();
        assertThat(behind.path("positionInSequence").asInt()).isEqualTo(2);
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void showsTheTimeOfTheNextAutomaticAttempt() {
        String key = newKey();
        warehouse.failing.add("lamp");
        Warehouse.order(service, key, "lamp", "shade");
        List<String> ids = awaitParked(key, 2);

        await().atMost(Warehouse.AWAIT_TIMEOUT)
                .untilAsserted(
                        () -> assertThat(inspect(ids.get(0)).field("status")).isEqualTo("RETRYING"));
        assertThat(inspect(ids.get(0)).field("nextAttempt")).endsWith("Z");
        assertThat(inspect(ids.get(1)).field("nextAttempt")).isEmpty();
    }

    @Test
    void respondsWithNotFoundForUnknownIds() {
        String id = park(newKey(), "vase").get(0);
        String event = id.substring(0, 36);

        for (String unknown : List.of(
                "nothing",
                event,
                event + "~",
                event + "~warehouse~shipping",
                event + "~warehouse~shipping~nothing",
                event + "~warehouse~labels~labelling",
                event.toUpperCase(Locale.ROOT) + "~warehouse~shipping~packing",
                "1-1-1-1-1~warehouse~shipping~packing",
                id + "~more",
                "00000000-0000-0000-0000-000000000000~warehouse~shipping~packing")) {
            assertProblem(inspect(unknown), 404);
            assertProblem(replay(unknown), 404);
            assertProblem(client.delete(DLQ + "/" + unknown), 404);
            assertThat(inspect(unknown).field("detail")).contains(unknown);
        }
    }

    @Test
    void rejectsRequestsForAServiceThatIsNotLive() {
        String elsewhere = "0198c0de-0000-7000-8000-000000000001~elsewhere~shipping~packing";

        assertProblem(inspect(elsewhere), 503);
        assertProblem(replay(elsewhere), 503);
        assertProblem(client.delete(DLQ + "/" + elsewhere), 503);
        assertThat(replay(elsewhere).field("code")).isEqualTo("owner-unavailable");
    }
}
