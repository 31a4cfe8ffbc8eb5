package io.holdfast.processing.operation;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.action.Settlement;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.StreamPosition;
import io.holdfast.processing.segment.ProcessorContext;
import io.holdfast.processing.status.AcceptedRestore;
import io.holdfast.processing.stream.RecentPositions;
import io.holdfast.token.Token;
import io.holdfast.wire.source.RestoredPosition;
import io.holdfast.wire.source.StreamSource;
import io.holdfast.worker.MonotonicTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Accepts that a source has lost events: asks the source which of the segments' positions it no longer contains, and
 * moves these segments back to the highest position up to which its log is known to be unchanged. That is the position
 * that the operator names, the newest of the {@linkplain RecentPositions recent positions} before it that the source
 * still contains, or the start of the epoch that the source has started.
 */
public final class AcceptRestoreOperation implements Operation {

    private final ProcessorContext context;
    private final String stream;
    private final StreamSource source;
    private final RecentPositions recent;
    private final @Nullable Long chosenPosition;
    private final MonotonicTime deadline;
    private final Runnable onComplete;
    private final @Nullable Settlement settlement;
    private final Map<StreamPosition, RestoredPosition> answers = new HashMap<>();
    private final CompletableFuture<AcceptedRestore> result = new CompletableFuture<>();

    /**
     * @param chosenPosition the position that the operator has determined, or null
     * @param settlement committed together with the acceptance
     */
    public AcceptRestoreOperation(
            ProcessorContext context,
            String stream,
            StreamSource source,
            RecentPositions recent,
            @Nullable Long chosenPosition,
            MonotonicTime deadline,
            Runnable onComplete,
            @Nullable Settlement settlement) {
        this.context = context;
        this.stream = stream;
        this.source = source;
        this.recent = recent;
        this.chosenPosition = chosenPosition;
        this.deadline = deadline;
        this.onComplete = onComplete;
        this.settlement = settlement;
    }

    @Override
    public MonotonicTime deadline() {
        return deadline;
    }

    @Override
    public CompletableFuture<AcceptedRestore> result() {
        return result;
    }

    /** Repeats the same questions in every step, until the source has answered all of them. */
    @Override
    public void advance() {
        List<StreamPosition> reached = context.stores().tokens().findAll(context.processor()).stream()
                .flatMap(claimed -> position(claimed.token()))
                .distinct()
                .sorted(Comparator.comparingLong(StreamPosition::position))
                .toList();
        try {
            accept(reached);
        } catch (PendingAnswerException e) {
            return; // the source has not responded yet
        } catch (PermanentException e) {
            result.completeExceptionally(e);
        }
    }

    private Stream<StreamPosition> position(Token token) {
        return Stream.ofNullable(token.positions().get(stream));
    }

    private void accept(List<StreamPosition> reached) {
        List<StreamPosition> lost = new ArrayList<>();
        for (StreamPosition position : reached) {
            if (!ask(position).unchanged()) {
                lost.add(position);
            }
        }
        if (lost.isEmpty()) {
            throw new PermanentException("the source of stream " + stream + " has lost no event that "
                    + context.processor() + " has read; there is nothing to accept");
        }
        Map<StreamPosition, StreamPosition> resumed = new LinkedHashMap<>();
        lost.forEach(position -> resumed.put(position, resumePosition(position)));
        context.stores().tokens().acceptRestore(context.processor(), stream, resumed, settlement);
        result.complete(new AcceptedRestore(
                stream,
                lost.get(lost.size() - 1),
                Collections.min(resumed.values(), Comparator.comparingLong(StreamPosition::position))));
        onComplete.run();
    }

    /** Segments may have read different histories, if the source has failed over more than once. */
    private StreamPosition resumePosition(StreamPosition lost) {
        StreamPosition resume = findResumePosition(lost);
        if (resume.position() >= lost.position()) {
            throw new PermanentException("stream " + stream + " cannot resume at position " + resume.position()
                    + ": its source has already lost position " + lost.position());
        }
        return resume;
    }

    private StreamPosition findResumePosition(StreamPosition lost) {
        StreamPosition epochStart = ask(lost).resume();
        if (chosenPosition != null) {
            LogIdentity newestEpoch = epochStart == null ? lost.log() : epochStart.log();
            return new StreamPosition(newestEpoch, chosenPosition, null);
        }
        List<StreamPosition> history = recent.before(lost);
        StreamPosition common = newestUnchanged(history);
        if (common != null) {
            return common;
        }
        StreamPosition oldestLost = history.isEmpty() ? lost : history.get(0);
        if (epochStart != null && epochStart.position() < oldestLost.position()) {
            return epochStart;
        }
        throw new PermanentException("it is unknown up to which position the source of stream " + stream
                + " is unchanged: "
                + (epochStart == null
                        ? "it has started no epoch"
                        : "its epoch starts at position " + epochStart.position()
                                + ", but it has already lost position " + oldestLost.position() + " before that")
                + ", and this replica has not read enough of the stream since it started. Determine the position and pass"
                + " it to acceptRestore");
    }

    /** Searches the newest position that the source still contains: it contains all below, and none above. */
    private @Nullable StreamPosition newestUnchanged(List<StreamPosition> positions) {
        int firstLost = positions.size();
        int low = 0;
        while (low < firstLost) {
            int middle = (low + firstLost) >>> 1;
            if (ask(positions.get(middle)).unchanged()) {
                low = middle + 1;
            } else {
                firstLost = middle;
            }
        }
        return firstLost == 0 ? null : ask(positions.get(firstLost - 1)).resume();
    }

    /** @throws PendingAnswerException if the source has not responded yet */
    private RestoredPosition ask(StreamPosition position) {
        RestoredPosition known = answers.get(position);
        if (known == null) {
            known = source.positionAfterRestore(stream, position).orElseThrow(PendingAnswerException::new);
            answers.put(position, known);
        }
        return known;
    }

    @Override
    public void finish() {}

    /** Ends a step whose next question the source has not answered yet. */
    private static final class PendingAnswerException extends RetryableException {

        PendingAnswerException() {
            super("the source has not responded yet");
        }
    }
}
