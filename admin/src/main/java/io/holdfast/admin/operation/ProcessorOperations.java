package io.holdfast.admin.operation;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.OperationItem;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.operation.SystemOperation.Part;
import io.holdfast.admin.receipt.ActionHandler;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.status.ProcessorStatus;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.service.HoldfastService;
import io.holdfast.wire.StartAt;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Checks operations on processors at the service that owns them. Thread-safe. */
public final class ProcessorOperations implements ActionHandler {

    private static final Set<Kind> KINDS =
            EnumSet.of(Kind.PAUSE, Kind.RESUME, Kind.RESET, Kind.SPLIT, Kind.MERGE, Kind.RELEASE, Kind.ACCEPT_RESTORE);

    private final HoldfastService service;

    private ProcessorOperations(HoldfastService service) {
        this.service = service;
    }

    /** Creates the handler, and lets this replica run the operations. */
    public static ProcessorOperations of(HoldfastService service) {
        new ProcessorRunner(service).register();
        return new ProcessorOperations(service);
    }

    @Override
    public boolean handles(Kind kind) {
        return KINDS.contains(kind);
    }

    @Override
    public CompletableFuture<Action> prepare(Action request, boolean force, Operator operator) {
        String name = Part.PROCESSOR.name(request.target());
        EventProcessor processor = service.processors().get(name);
        if (processor == null) {
            throw unknown(name);
        }
        requireSegments(name, processor.status());
        OperationItem item = item(request.kind(), name, processor, new Options(request.options()));
        return CompletableFuture.completedFuture(request.withItems(List.of(item)));
    }

    /** A processor without segments has no row that could be changed: the operation would be lost. */
    private void requireSegments(String name, ProcessorStatus status) {
        if (status.segments().isEmpty()) {
            throw OperatorProblem.of(
                    409,
                    "processor-starting",
                    "Processor has not started",
                    "processor " + name + " of service " + service.name() + " has no segments yet",
                    "Repeat the request when GET /api/admin/processors shows its segments");
        }
    }

    /** Returns what is locked until the operation is done. A pause does not wait for another operation. */
    private OperationItem item(Kind kind, String name, EventProcessor processor, Options options) {
        return switch (kind) {
            case RESET -> {
                start(options);
                yield new OperationItem("positions", name);
            }
            case SPLIT, MERGE, RELEASE ->
                new OperationItem(
                        "segment", name + "/" + requireSegment(name, processor.status(), options.requireSegment()));
            case ACCEPT_RESTORE -> {
                options.number(Fields.POSITION);
                yield new OperationItem("stream", name + "/" + requireStream(name, processor, options));
            }
            default -> new OperationItem("processor", name);
        };
    }

    private static int requireSegment(String name, ProcessorStatus status, int number) {
        List<Integer> numbers =
                status.segments().stream().map(SegmentStatus::number).toList();
        if (!numbers.contains(number)) {
            throw OperatorProblem.of(
                    404,
                    "segment-unknown",
                    "Segment not found",
                    "processor " + name + " has no segment " + number + "; its segments are " + numbers,
                    "GET /api/admin/processors lists the segments");
        }
        return number;
    }

    private static String requireStream(String name, EventProcessor processor, Options options) {
        String stream = options.requireText(Fields.STREAM);
        if (!processor.reads(stream)) {
            throw Options.invalid("processor " + name + " does not read stream " + stream);
        }
        return stream;
    }

    /** Returns where a reset starts. */
    static StartAt start(Options options) {
        String from = options.requireText(Fields.FROM);
        return switch (from.toLowerCase(Locale.ROOT)) {
            case "beginning" -> StartAt.BEGINNING;
            case "now" -> StartAt.NOW;
            default ->
                options.time(Fields.FROM)
                        .map(StartAt::at)
                        .orElseThrow(() -> Options.invalid(Fields.FROM
                                + " must be beginning, now, or a time such as 2026-01-31T08:00:00Z, but is " + from));
        };
    }

    private OperatorProblem unknown(String name) {
        return OperatorProblem.of(
                404,
                "processor-unknown",
                "Processor not found",
                "service " + service.name() + " has no processor " + name + "; its processors are "
                        + service.processors().keySet(),
                "GET /api/admin/processors lists the processors of all services");
    }
}
