package io.holdfast.admin.deadletter;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.admin.component.EntryId;
import io.holdfast.deadletter.CauseGroup;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Entries of one component with similar causes: the same exception, root exception, and first frame of the application.
 *
 * @param group identifies the group
 * @param service the service that has the entries of the group
 * @param pending the number of its PENDING letters
 * @param count the number of its parked letters
 * @param failureType the class of the exception
 * @param failureReason the message of the newest failure
 * @param note what an operator has written about the group
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CauseGroupDetails(
        String group,
        String service,
        String processor,
        String component,
        @Nullable String failureType,
        @Nullable String failureReason,
        long pending,
        long count,
        Instant firstSeen,
        Instant lastSeen,
        @Nullable String note,
        @Nullable String noteBy,
        @Nullable Instant notedAt) {

    static CauseGroupDetails of(CauseGroup group) {
        EntryId component = EntryId.of(group.component(), new UUID(0, 0));
        return new CauseGroupDetails(
                group.id(),
                component.service(),
                component.processor(),
                component.component(),
                group.causeType(),
                group.causeMessage(),
                group.pending(),
                group.parked(),
                group.firstSeen(),
                group.lastSeen(),
                group.note(),
                group.noteBy(),
                group.notedAt());
    }
}
