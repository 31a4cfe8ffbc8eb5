package io.holdfast.admin.deadletter;

import io.holdfast.admin.component.EntryId;
import io.holdfast.admin.deadletter.DeadLetterEndpoints.CountQuestion;
import io.holdfast.admin.deadletter.DeadLetterEndpoints.GroupQuestion;
import io.holdfast.admin.deadletter.DeadLetterEndpoints.InspectQuestion;
import io.holdfast.admin.deadletter.DeadLetterEndpoints.NoteQuestion;
import io.holdfast.admin.gateway.Gathered;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.receipt.ActionGateway;
import io.holdfast.admin.receipt.Permissions;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.admin.receipt.Submission;
import io.holdfast.deadletter.entry.EntryCursor;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Finds and repairs the dead letters of all services, from any of them. Never blocks. Thread-safe. */
public final class DeadLetters {

    /** Pages reach this many entries; beyond it, follow the cursor. */
    public static final int MAX_PAGED_ENTRIES = 10_000;

    /** The maximum number of groups per service. */
    static final int MAX_GROUPS = 500;

    private final ServiceGateway gateway;
    private final ActionGateway actions;

    public DeadLetters(ServiceGateway gateway, ActionGateway actions) {
        this.gateway = gateway;
        this.actions = actions;
    }

    /**
     * The number of PENDING letters of all services.
     *
     * @param incomplete the services that have not answered
     */
    public record Count(long count, List<String> incomplete) {}

    /** Cause groups, the one with the newest failure first. */
    public record Groups(List<CauseGroupDetails> groups, List<String> incomplete) {}

    /** Returns the entries that match, newest first. Services that do not answer in time are named. */
    public CompletableFuture<DeadLetterPage> find(DeadLetterQuery query, Operator operator) {
        return gateway.gather(DeadLetterEndpoints.FIND, operator, query, query::matchesService)
                .thenApply(parts -> {
                    requireKnown(parts);
                    return MergedPage.of(parts.answers().values(), query.limit(), incomplete(query, parts));
                });
    }

    private static List<String> incomplete(DeadLetterQuery query, Gathered<DeadLetterPart> parts) {
        String service = query.service();
        boolean isUnheardOf = service != null
                && !parts.answers().containsKey(service)
                && !parts.incomplete().contains(service);
        return isUnheardOf ? List.of(service) : parts.incomplete();
    }

    /** Rejects misspelled names: an empty page would suggest that nothing is parked. */
    private static void requireKnown(Gathered<DeadLetterPart> parts) {
        List<String> unknown = parts.answers().values().stream()
                .map(DeadLetterPart::unknown)
                .filter(Objects::nonNull)
                .toList();
        boolean isUnknownToAll = !unknown.isEmpty()
                && unknown.size() == parts.answers().size()
                && parts.incomplete().isEmpty();
        if (isUnknownToAll) {
            throw OperatorProblem.of(
                    400,
                    "invalid-parameters",
                    "Invalid parameters",
                    String.join("; ", unknown),
                    "Correct the name, or leave the parameter out");
        }
    }

    /** As {@link #find(DeadLetterQuery, Operator)}, for the page with a number, 0 for the first. */
    public CompletableFuture<DeadLetterPage> find(DeadLetterQuery query, int page, Operator operator) {
        return skip(query, (long) page * query.limit(), operator);
    }

    private CompletableFuture<DeadLetterPage> skip(DeadLetterQuery query, long entries, Operator operator) {
        if (entries == 0) {
            return find(query, operator);
        }
        int step = (int) Math.min(entries, DeadLetterQuery.MAX_LIMIT);
        return find(query.after(query.after(), step), operator).thenCompose(skipped -> {
            EntryCursor next = skipped.next();
            return next == null || skipped.entries().isEmpty()
                    ? CompletableFuture.completedFuture(skipped.withoutEntries())
                    : skip(
                            query.after(next, query.limit()),
                            entries - skipped.entries().size(),
                            operator);
        });
    }

    /** Counts the PENDING letters, which need an operator. */
    public CompletableFuture<Count> count(Operator operator) {
        return gateway.gather(DeadLetterEndpoints.COUNT, operator, new CountQuestion(), name -> true)
                .thenApply(counts -> new Count(
                        counts.answers().values().stream()
                                .mapToLong(DeadLetterEndpoints.CountAnswer::pending)
                                .sum(),
                        counts.incomplete()));
    }

    /**
     * Returns a {@link DeadLetterDetails} as JSON, parked or resolved. The future fails with an {@link OperatorProblem} if
     * there is no such entry.
     */
    public CompletableFuture<JsonNode> inspect(String entryId, Operator operator) {
        EntryId id = EntryId.parse(entryId).orElse(null);
        if (id == null) {
            return CompletableFuture.failedFuture(EntryProblems.unknown(entryId));
        }
        return gateway.ask(id.service(), DeadLetterEndpoints.INSPECT, operator, new InspectQuestion(entryId))
                .thenApply(answer -> Optional.ofNullable(answer.entry())
                        .filter(entry -> !entry.isNull())
                        .orElseThrow(() -> EntryProblems.unknown(entryId)));
    }

    /** Submits an action on a letter to the letter's owner, see {@link ActionGateway#submit}. */
    public CompletableFuture<ReceiptDetails> submit(Submission submission, Operator operator) {
        return EntryId.parse(submission.target())
                .map(id -> actions.submit(id.service(), submission, operator))
                .orElseGet(() -> CompletableFuture.failedFuture(EntryProblems.unknown(submission.target())));
    }

    public CompletableFuture<Groups> groups(Operator operator) {
        return gateway.gather(DeadLetterEndpoints.GROUPS, operator, new GroupQuestion(MAX_GROUPS), name -> true)
                .thenApply(answers -> new Groups(
                        answers.answers().values().stream()
                                .flatMap(answer -> answer.groups().stream())
                                .sorted(Comparator.comparing(CauseGroupDetails::lastSeen, Comparator.reverseOrder()))
                                .toList(),
                        answers.incomplete()));
    }

    /**
     * Changes the note of a group, at all services.
     *
     * @param note null removes it
     */
    public CompletableFuture<CauseGroupDetails> note(String group, @Nullable String note, Operator operator) {
        Permissions.requireWriter(operator);
        return gateway.gather(DeadLetterEndpoints.NOTE, operator, new NoteQuestion(group, note), name -> true)
                .thenApply(answers -> answers.answers().values().stream()
                        .map(DeadLetterEndpoints.NoteAnswer::group)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElseThrow(() -> EntryProblems.unknownGroup(group, answers.incomplete())));
    }
}
