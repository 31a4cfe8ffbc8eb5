package io.holdfast.admin.deadletter;

import io.holdfast.admin.gateway.Endpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What an owner answers about its entries. */
final class DeadLetterEndpoints {

    static final Endpoint<DeadLetterQuery, DeadLetterPart> FIND =
            new Endpoint<>("dlq.find", DeadLetterQuery.class, DeadLetterPart.class);

    static final Endpoint<CountQuestion, CountAnswer> COUNT =
            new Endpoint<>("dlq.count", CountQuestion.class, CountAnswer.class);

    /** The answer is null if the service has no such entry. */
    static final Endpoint<InspectQuestion, InspectAnswer> INSPECT =
            new Endpoint<>("dlq.inspect", InspectQuestion.class, InspectAnswer.class);

    static final Endpoint<GroupQuestion, GroupAnswer> GROUPS =
            new Endpoint<>("dlq.groups", GroupQuestion.class, GroupAnswer.class);

    static final Endpoint<NoteQuestion, NoteAnswer> NOTE =
            new Endpoint<>("dlq.note", NoteQuestion.class, NoteAnswer.class);

    private DeadLetterEndpoints() {}

    record CountQuestion() {}

    /** @param pending the number of PENDING letters */
    record CountAnswer(long pending) {}

    record InspectQuestion(String dlqEntryId) {}

    /** @param entry a {@link DeadLetterDetails} as JSON, which the gateway forwards unchanged */
    record InspectAnswer(@Nullable JsonNode entry) {}

    record GroupQuestion(int limit) {}

    record GroupAnswer(List<CauseGroupDetails> groups) {}

    record NoteQuestion(String group, @Nullable String note) {}

    /** @param group null if the service has no such group */
    record NoteAnswer(@Nullable CauseGroupDetails group) {}
}
