package io.holdfast.admin.deadletter;

import io.holdfast.admin.gateway.OperatorProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a request about an entry is refused. */
final class EntryProblems {

    private EntryProblems() {}

    static OperatorProblem unknown(String entryId) {
        return OperatorProblem.of(
                404,
                "not-found",
                "Entry not found",
                "no letter with the id " + entryId
                        + " is parked or was resolved: it was handled automatically, its entry"
                        + " has expired, or it never existed",
                "GET /api/admin/dlq lists the parked letters of all services");
    }

    static OperatorProblem unknownGroup(String group, List<String> incomplete) {
        String silent =
                incomplete.isEmpty() ? "" : "; these services have not answered: " + String.join(", ", incomplete);
        return OperatorProblem.of(
                404,
                "not-found",
                "Group not found",
                "no service has a cause group " + group + silent,
                "GET /api/admin/dlq/groups lists the groups");
    }

    /** @param receiptId the receipt of the action that has resolved the entry */
    static OperatorProblem notParked(String entryId, String how, @Nullable String receiptId) {
        return new OperatorProblem(new OperatorProblem.Problem(
                409,
                "not-parked",
                "Not parked",
                "entry " + entryId + " is no longer parked: " + how,
                "Nothing was changed. A discarded entry can be restored; the receipt tells who resolved it",
                receiptId));
    }

    static OperatorProblem processorPaused(String service, String processor) {
        return OperatorProblem.of(
                409,
                "processor-paused",
                "Processor paused",
                "processor " + processor + " of service " + service + " is paused and cannot replay letters",
                "Resume it with POST /api/admin/processors/" + service + "/" + processor + "/resume, then repeat the"
                        + " request with another Idempotency-Key");
    }

    static OperatorProblem componentRetired(String component) {
        return OperatorProblem.of(
                409,
                "component-retired",
                "Component retired",
                "no version of the service that is running has the component " + component
                        + " that could handle the letter",
                "Discard the letter, or run a version with the component");
    }

    static OperatorProblem replayLimit(String entryId, int replays, int limit) {
        return OperatorProblem.of(
                409,
                "replay-limit",
                "Replay limit reached",
                "entry " + entryId + " has failed " + replays + " replays; framework.dlq.max-replay-attempts is "
                        + limit,
                "Fix the cause and edit the letter, which resets the count, or let an ADMIN force the replay with"
                        + " force=true and a reason");
    }

    static OperatorProblem sagaEnded(String entryId, String saga, String status) {
        return OperatorProblem.of(
                409,
                "saga-ended",
                "Saga ended",
                "entry " + entryId + " belongs to saga " + saga + ", which has ended as " + status,
                "Discard the letter, or let an ADMIN force the replay with force=true and a reason; a late success is"
                        + " undone or flags the saga");
    }

    static OperatorProblem notDiscarded(String entryId, String how) {
        return OperatorProblem.of(
                409,
                "not-discarded",
                "Not discarded",
                "entry " + entryId + " cannot be restored: " + how,
                "Nothing was changed. Only discarded entries can be restored");
    }

    static OperatorProblem stale(String entryId) {
        return OperatorProblem.of(
                412,
                "stale",
                "The entry has changed",
                "entry " + entryId + " has changed since it was read",
                "Nothing was changed. Read the entry again, and repeat the edit with its new ETag in If-Match");
    }

    static OperatorProblem invalidPayload(String entryId, String reason) {
        return OperatorProblem.of(
                400,
                "invalid-payload",
                "Invalid payload",
                "the new payload of entry " + entryId + " cannot be read: " + reason,
                "Nothing was changed. Correct the payload; type and revision of the event stay the same");
    }
}
