package io.holdfast.admin.deadletter;

import io.holdfast.admin.gateway.Failures;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.Role;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.admin.receipt.Submission;
import io.holdfast.event.EventIds;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Asks through the gateway, as operator {@code code}. Thread-safe. */
public final class GatewayDeadLetterQueue implements DeadLetterQueueOperations {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final DeadLetters letters;
    private final HandParkedLetters parked;
    private final Operator operator;
    private final Clock clock;

    public GatewayDeadLetterQueue(DeadLetters letters, HoldfastService service, Clock clock) {
        this.letters = letters;
        this.parked = new HandParkedLetters(service, clock);
        this.operator = new Operator("code", Role.ADMIN, new Operator.Via(service.name(), service.replica(), null));
        this.clock = clock;
    }

    @Override
    public void add(DeadLetterEntry entry) {
        parked.park(entry);
    }

    @Override
    public List<DeadLetterEntry> list(int limit) {
        return await(letters.find(DeadLetterQuery.NEWEST.after(null, limit), operator))
                .entries();
    }

    @Override
    public DeadLetterEntry getEntry(String dlqEntryId) {
        return JSON.treeToValue(await(letters.inspect(dlqEntryId, operator)), DeadLetterEntry.class);
    }

    @Override
    public ReceiptDetails replay(String dlqEntryId) {
        return submit("REPLAY", dlqEntryId);
    }

    @Override
    public ReceiptDetails discard(String dlqEntryId) {
        return submit("DISCARD", dlqEntryId);
    }

    private ReceiptDetails submit(String kind, String dlqEntryId) {
        String action = EventIds.random(clock.instant()).toString();
        return await(letters.submit(new Submission(action, kind, dlqEntryId), operator));
    }

    @Override
    public long count() {
        return await(letters.count(operator)).count();
    }

    /** Every future of the gateway completes within seconds. */
    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw Failures.toThrow(e);
        }
    }
}
