package io.holdfast.admin.deadletter;

import io.holdfast.admin.component.EntryId;
import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.admin.deadletter.DeadLetterEndpoints.CountAnswer;
import io.holdfast.admin.deadletter.DeadLetterEndpoints.GroupAnswer;
import io.holdfast.admin.deadletter.DeadLetterEndpoints.InspectAnswer;
import io.holdfast.admin.deadletter.DeadLetterEndpoints.NoteAnswer;
import io.holdfast.admin.deadletter.DeadLetterEndpoints.NoteQuestion;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.receipt.Permissions;
import io.holdfast.deadletter.CauseGroup;
import io.holdfast.deadletter.entry.EntryQuery;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.deadletter.entry.GroupQuery;
import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Answers what operators of any service ask about the entries of this one. Thread-safe. */
public final class DeadLetterOwner implements EndpointRegistrar {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final EntryStore store;
    private final DeadLetterSearch search;
    private final LetterInspection inspection;

    public DeadLetterOwner(HoldfastService service) {
        ServiceComponents components = new ServiceComponents(service);
        this.store = service.entries();
        this.search = new DeadLetterSearch(store, components);
        this.inspection = new LetterInspection(service, components);
    }

    @Override
    public void register(OwnerEndpoints endpoints) {
        endpoints.serve(DeadLetterEndpoints.FIND, (operator, query) -> search.find(query));
        endpoints.serve(
                DeadLetterEndpoints.COUNT,
                (operator, question) ->
                        new CountAnswer(store.count(EntryQuery.PENDING).count()));
        endpoints.serve(DeadLetterEndpoints.INSPECT, (operator, question) -> inspect(question.dlqEntryId()));
        endpoints.serve(DeadLetterEndpoints.GROUPS, (operator, question) -> groups(question.limit()));
        endpoints.serve(DeadLetterEndpoints.NOTE, this::note);
    }

    private InspectAnswer inspect(String entryId) {
        return new InspectAnswer(EntryId.parse(entryId)
                .flatMap(inspection::inspect)
                .map(DeadLetterOwner::tree)
                .orElse(null));
    }

    private static JsonNode tree(DeadLetterDetails details) {
        return JSON.valueToTree(details);
    }

    private GroupAnswer groups(int limit) {
        List<CauseGroup> groups = store.groups(GroupQuery.ALL.limit(Math.min(limit, GroupQuery.MAX_LIMIT)));
        return new GroupAnswer(groups.stream().map(CauseGroupDetails::of).toList());
    }

    private NoteAnswer note(Operator operator, NoteQuestion question) {
        Permissions.requireWriter(operator);
        if (!store.note(question.group(), question.note(), operator.name())) {
            return new NoteAnswer(null);
        }
        Optional<CauseGroup> changed = store.groups(GroupQuery.ALL.withResolved()).stream()
                .filter(group -> group.id().equals(question.group()))
                .findFirst();
        return new NoteAnswer(changed.map(CauseGroupDetails::of).orElse(null));
    }
}
