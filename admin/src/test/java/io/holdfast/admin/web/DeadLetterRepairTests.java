package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.web.AdminClient.Response;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Restores discarded letters, and edits parked ones. */
class DeadLetterRepairTests extends WarehouseTest {

    private Response restore(String id, String body) {
        return client.post(DLQ + "/" + id + "/restore", newKey(), body);
    }

    private Response edit(String id, String tag, String body) {
        return client.post(DLQ + "/" + id + "/edit", newKey(), body, "If-Match", tag);
    }

    private static String payload(String item, String rest) {
        return "{\"payload\":{\"item\":\"" + item + "\",\"price\":12345678901234567890.10},\"reason\":\"typo\"" + rest
                + "}";
    }

    @Test
    void restoresADiscardedLetterAsTheFirstOfItsSequence() {
        String key = newKey();
        warehouse.broken.add("bowl");
        List<String> ids = park(key, "vase", "bowl");
        client.delete(DLQ + "/" + ids.get(0));
        awaitParked(key, 1);

        Response restored = restore(ids.get(0), "{\"reason\":\"discarded by mistake\"}");

        assertThat(restored.status()).as(restored.text()).isEqualTo(200);
        assertThat(restored.field("status")).isEqualTo("restored");
        assertThat(awaitParked(key, 2)).isEqualTo(ids);
        assertThat(inspect(ids.get(0)).field("status")).isEqualTo("PENDING");
        warehouse.broken.clear();
        assertThat(replay(ids.get(0)).field("status")).isEqualTo("replayed");
        awaitNoneParked(key);
        assertThat(List.of(packed(key, "vase"), packed(key, "bowl"))).containsExactly(1, 1);
    }

    @Test
    void refusesToRestoreIfTheOrderIsUnknownUnlessForced() {
        String key = newKey();
        String id = park(key, "vase", "bowl").get(0);
        client.delete(DLQ + "/" + id);
        awaitNoneParked(key);

        Response refused = restore(id, "{\"reason\":\"discarded by mistake\"}");
        Response forced = restore(id, "{\"reason\":\"discarded by mistake\",\"force\":true}");

        assertProblem(refused, 409);
        assertThat(refused.field("code")).isEqualTo("order-unknown");
        assertThat(forced.field("status")).as(forced.text()).isEqualTo("restored");
        assertThat(forced.field("detail")).isEqualTo("order-broken");
        assertThat(awaitParked(key, 1)).containsExactly(id);
    }

    @Test
    void restoresOnlyDiscardedLettersForAReason() {
        String key = newKey();
        String id = park(key, "vase").get(0);

        Response parked = restore(id, "{\"reason\":\"why not\"}");
        Response withoutReason = restore(id, "{}");

        assertThat(parked.field("code")).isEqualTo("not-discarded");
        assertThat(withoutReason.field("code")).isEqualTo("reason-required");
    }

    @Test
    void replacesThePayloadAndReplaysTheLetter() {
        String key = newKey();
        String id = park(key, "vase").get(0);

        Response edited = edit(id, inspect(id).header("ETag"), payload("pot", ",\"replay\":true"));

        assertThat(edited.status()).as(edited.text()).isEqualTo(200);
        assertThat(edited.field("outcome")).isEqualTo("APPLIED");
        assertThat(packed(key, "pot")).isEqualTo(1);
        assertThat(packed(key, "vase")).isZero();
        assertThat(client.get("/api/admin/receipts/" + edited.field("receiptId"))
                        .text())
                .doesNotContain("pot");
    }

    @Test
    void keepsNumbersAndPlaceOfAnEditedLetter() {
        String key = newKey();
        List<String> ids = park(key, "vase", "bowl");

        Response edited = edit(ids.get(0), inspect(ids.get(0)).header("ETag"), payload("pot", ""));

        assertThat(edited.field("status")).as(edited.text()).isEqualTo("edited");
        assertThat(inspect(ids.get(0)).text()).contains("\"item\":\"pot\",\"price\":12345678901234567890.10");
        assertThat(awaitParked(key, 2)).isEqualTo(ids);
    }

    @Test
    void rejectsAnEditOfAnotherVersionOrWithAnUnreadablePayload() {
        String id = park(newKey(), "vase").get(0);
        String tag = inspect(id).header("ETag");
        replay(id);

        Response stale = edit(id, tag, payload("pot", ""));
        Response unreadable = edit(
                id,
                inspect(id).header("ETag"),
                "{\"payload\":{\"item\":\"pot\",\"price\":\"much\"},\"reason\":\"typo\"}");
        Response withoutTag = client.post(DLQ + "/" + id + "/edit", newKey(), payload("pot", ""));
        Response unknownField = edit(id, tag, "{\"paylod\":{}}");

        assertProblem(stale, 412);
        assertProblem(unreadable, 400);
        assertThat(unreadable.field("code")).isEqualTo("invalid-payload");
        assertProblem(withoutTag, 428);
        assertThat(unknownField.field("detail"))
                .contains("paylod is not a field")
                .contains("payload is missing");
    }
}
