package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.deadletter.DeadLetterDetails;
import io.holdfast.admin.deadletter.DeadLetterEntry;
import io.holdfast.admin.deadletter.DeadLetterOperations;
import io.holdfast.admin.deadletter.DeadLetterQuery;
import io.holdfast.admin.deadletter.ReplayResult;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that docs/guides/operating-dead-letters.md covers the whole API. */
class OperatingGuideTests {

    private final String guide;

    OperatingGuideTests() throws IOException {
        this.guide = Files.readString(Path.of("../docs/guides/operating-dead-letters.md"));
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
                .contains("longer than " + DeadLetterOperations.REQUEST_TIMEOUT.toSeconds() + " seconds")
                .contains("up to " + DeadLetterDetails.NEIGHBOURS + " entries");
    }

    @Test
    void listsEveryOutcomeOfAReplay() {
        assertThat(ReplayResult.Status.values()).allSatisfy(status -> {
            ReplayResponse response = ReplayResponse.of("id", new ReplayResult(status, null, null));
            String outcome = response.outcome() == null ? " " : " `" + response.outcome() + "` ";
            assertThat(guide).contains("| `" + response.status() + "` |" + outcome + "|");
        });
    }
}
