package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.deadletter.CauseGroupDetails;
import io.holdfast.admin.deadletter.DeadLetterDetails;
import io.holdfast.admin.deadletter.DeadLetterEntry;
import io.holdfast.admin.deadletter.DeadLetterQuery;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.receipt.ActionGateway;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.admin.receipt.ReceiptDetails.Item;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that docs/guides/operating-holdfast.md covers the whole API. */
class OperatingGuideTests {

    private final String guide;

    OperatingGuideTests() throws IOException {
        this.guide = Files.readString(Path.of("../docs/guides/operating-holdfast.md"));
    }

    @Test
    void listsEveryFieldOfAnEntry() {
        Stream<String> fields = Stream.of(DeadLetterEntry.class, DeadLetterDetails.class)
                .flatMap(type -> Arrays.stream(type.getRecordComponents()))
                .map(RecordComponent::getName)
                .filter(name -> !name.equals("entry"));

        assertThat(fields).allSatisfy(name -> assertThat(guide).contains("`" + name + "`"));
    }

    @Test
    void listsEveryParameter() {
        assertThat(Stream.concat(DeadLetterController.PARAMETERS.stream(), FaultController.PARAMETERS.stream()))
                .allSatisfy(name -> assertThat(guide).contains("`" + name + "`"));
        assertThat(guide)
                .contains("| `limit` | " + DeadLetterQuery.DEFAULT_LIMIT + " | 1 to " + DeadLetterQuery.MAX_LIMIT)
                .contains("| `failureMessage` | `" + FaultController.DEFAULT_MESSAGE + "` |")
                .contains("wait up to " + ActionGateway.REQUEST_TIMEOUT.toSeconds() + " seconds")
                .contains("up to " + DeadLetterDetails.NEIGHBOURS + " entries");
    }

    @Test
    void listsEveryFieldOfAReceipt() {
        assertThat(Arrays.stream(ReceiptDetails.class.getRecordComponents()).map(RecordComponent::getName))
                .allSatisfy(name -> assertThat(guide).contains("`" + name + "`"));
        assertThat(ReceiptController.PARAMETERS)
                .allSatisfy(name -> assertThat(guide).contains("`" + name + "`"));
    }

    @Test
    void listsEveryFieldOfAGroup() {
        assertThat(Arrays.stream(CauseGroupDetails.class.getRecordComponents()).map(RecordComponent::getName))
                .allSatisfy(name -> assertThat(guide).contains("`" + name + "`"));
    }

    @Test
    void listsEveryOutcomeOfAReplay() {
        EnumSet<Outcome> outcomes = EnumSet.complementOf(EnumSet.of(Outcome.RESTORED, Outcome.EDITED, Outcome.REFUSED));

        assertThat(outcomes).allSatisfy(outcome -> {
            Item item = new Item("id", null, outcome.name(), null, null, null, null, 0, null);
            ActionResponse response = ActionResponse.of(receipt(item), item, outcome.name());
            assertThat(guide).contains("| `" + response.status() + "` | `" + response.outcome() + "` |");
        });
    }

    private static ReceiptDetails receipt(Item item) {
        return new ReceiptDetails(
                "1",
                "REPLAY",
                "DONE",
                "id",
                Map.of(),
                "ana",
                "OPERATOR",
                null,
                Instant.EPOCH,
                Instant.EPOCH,
                new Operator.Via("shop", "shop-1", null),
                Map.of(),
                0,
                List.of(),
                List.of(),
                List.of(item),
                null);
    }
}
