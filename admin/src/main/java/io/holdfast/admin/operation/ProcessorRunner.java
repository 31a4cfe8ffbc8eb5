package io.holdfast.admin.operation;

import io.holdfast.action.Action.Kind;
import io.holdfast.action.OperationEffect;
import io.holdfast.action.OperationHandler;
import io.holdfast.action.StagedOperation;
import io.holdfast.admin.operation.SystemOperation.Part;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.service.HoldfastService;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** Runs operations on the processors of this replica. Each commits its outcome together with its effect. */
final class ProcessorRunner {

    private final HoldfastService service;

    ProcessorRunner(HoldfastService service) {
        this.service = service;
    }

    void register() {
        service.handleOperations(Kind.PAUSE, operation -> {
            processor(operation).pause(operation.settlement());
            return CompletableFuture.completedFuture(OperationEffect.settled());
        });
        service.handleOperations(Kind.RESUME, operation -> {
            processor(operation).resume(operation.settlement());
            return CompletableFuture.completedFuture(OperationEffect.settled());
        });
        service.handleOperations(
                Kind.RESET,
                operation -> settled(processor(operation)
                        .reset(ProcessorOperations.start(options(operation)), operation.settlement())));
        service.handleOperations(Kind.ACCEPT_RESTORE, this::acceptRestore);
        service.handleOperations(
                Kind.SPLIT,
                new AtOwner((processor, operation) ->
                        processor.split(options(operation).requireSegment(), operation.settlement())));
        service.handleOperations(
                Kind.MERGE,
                new AtOwner((processor, operation) ->
                        processor.merge(options(operation).requireSegment(), operation.settlement())));
        service.handleOperations(
                Kind.RELEASE,
                new AtOwner((processor, operation) ->
                        processor.release(options(operation).requireSegment(), operation.settlement())));
    }

    private EventProcessor processor(StagedOperation operation) {
        return service.processor(Part.PROCESSOR.name(operation.target()));
    }

    private static Options options(StagedOperation operation) {
        return new Options(operation.options());
    }

    private static CompletableFuture<OperationEffect> settled(CompletableFuture<?> done) {
        return done.thenApply(result -> OperationEffect.settled());
    }

    private CompletableFuture<OperationEffect> acceptRestore(StagedOperation operation) {
        Options options = options(operation);
        OptionalLong position = options.number(Fields.POSITION);
        return settled(processor(operation)
                .acceptRestore(
                        options.requireText(Fields.STREAM),
                        position.isPresent() ? (Long) position.getAsLong() : null,
                        operation.settlement()));
    }

    /** Runs an operation on a segment at the replica that owns it. */
    private final class AtOwner implements OperationHandler {

        private final BiFunction<EventProcessor, StagedOperation, CompletableFuture<?>> effect;

        AtOwner(BiFunction<EventProcessor, StagedOperation, CompletableFuture<?>> effect) {
            this.effect = effect;
        }

        @Override
        public CompletableFuture<OperationEffect> run(StagedOperation operation) {
            return settled(effect.apply(processor(operation), operation));
        }

        @Override
        public Place place(StagedOperation operation) {
            Optional<SegmentStatus> segment = segment(operation);
            if (segment.isPresent() && segment.get().claimed()) {
                return Place.HERE;
            }
            return segment.flatMap(SegmentStatus::owner).isPresent() ? Place.ELSEWHERE : Place.ANYWHERE;
        }

        private Optional<SegmentStatus> segment(StagedOperation operation) {
            int number = options(operation).requireSegment();
            return processor(operation).status().segments().stream()
                    .filter(segment -> segment.number() == number)
                    .findFirst();
        }
    }
}
