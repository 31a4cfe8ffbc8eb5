package io.holdfast.admin.operation;

import io.holdfast.PermanentException;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.OperationEffect;
import io.holdfast.action.OperationItem;
import io.holdfast.action.StagedOperation;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.operation.SystemOperation.Part;
import io.holdfast.admin.receipt.ActionHandler;
import io.holdfast.service.HoldfastService;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.ConsumerGroup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** Removes consumer groups at the source of the streams that they read. Thread-safe. */
public final class GroupOperations implements ActionHandler {

    private static final Pattern GENERATION = Pattern.compile("@\\d+$");

    private final HoldfastService service;

    private GroupOperations(HoldfastService service) {
        this.service = service;
    }

    /** Creates the handler, and lets this replica run the operation. */
    public static GroupOperations of(HoldfastService service) {
        GroupOperations operations = new GroupOperations(service);
        service.handleOperations(Kind.DELETE_GROUP, operations::run);
        return operations;
    }

    @Override
    public boolean handles(Kind kind) {
        return kind == Kind.DELETE_GROUP;
    }

    @Override
    public CompletableFuture<Action> prepare(Action request, boolean force, Operator operator) {
        String name = Part.GROUP.name(request.target());
        List<ConsumerGroup> all = service.consumerGroups().findAll();
        List<ConsumerGroup> registrations =
                all.stream().filter(group -> group.name().equals(name)).toList();
        if (registrations.isEmpty()) {
            throw SystemProblems.unknownGroup(name, "service " + service.name());
        }
        Optional<String> reader = reader(consumer(name));
        boolean isRead = registrations.stream().anyMatch(group -> isNewest(group, all));
        if (!force && isRead && reader.isPresent()) {
            throw live(name, reader.get());
        }
        return CompletableFuture.completedFuture(request.withItems(List.of(new OperationItem("group", name))));
    }

    /** Returns service and processor: a reset creates a group with the number of the generation as its suffix. */
    private static String consumer(String group) {
        return GENERATION.matcher(group).replaceFirst("");
    }

    /** A group of an earlier generation no longer reports. Both times are of the clock of this service's store. */
    private static boolean isNewest(ConsumerGroup group, List<ConsumerGroup> all) {
        return all.stream()
                .filter(other -> other.stream().equals(group.stream()))
                .filter(other -> consumer(other.name()).equals(consumer(group.name())))
                .noneMatch(other -> other.reportedAt().isAfter(group.reportedAt()));
    }

    /** Returns a live replica that has the processor. */
    private Optional<String> reader(String consumer) {
        boolean isOwn = service.processors().keySet().stream()
                .anyMatch(processor -> consumer.equals(service.name() + "/" + processor));
        return isOwn
                ? Optional.of(service.replica())
                : service.wire().directory().stream()
                        .filter(announced -> announced.components().stream()
                                .anyMatch(component -> component.startsWith(consumer + "/")))
                        .map(Announcement::replica)
                        .findFirst();
    }

    private static OperatorProblem live(String group, String reader) {
        return OperatorProblem.of(
                409,
                "group-live",
                "Group is live",
                "replica " + reader + " has the processor of group " + group
                        + ", which stops with an error if events are removed that it has not read",
                "Remove the processor from the service first, or repeat the request with force");
    }

    private CompletableFuture<OperationEffect> run(StagedOperation operation) {
        String group = operation.item().name();
        if (!service.consumerGroups().remove(group, operation.settlement())) {
            throw new PermanentException("group " + group + " does not exist any more");
        }
        return CompletableFuture.completedFuture(OperationEffect.settled());
    }
}
