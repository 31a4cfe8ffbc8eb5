package io.holdfast.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.Decision;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.commit.group.RowUpdate;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.event.StreamPosition;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;

/** Base of the kits for the engine: a committer without threads over the store under test. */
@SuppressWarnings("FutureReturnValueIgnored")
public // a test ignores the futures that are not its subject
abstract class EngineKit extends StoreKit {

    public static final View<Noted> BOARD = new View<>("board", Noted.class);
    public static final Segment SEGMENT = new Segment("kit", 0);

    private EngineUnderTest engine;

    @BeforeEach
    void startEngine() {
        engine = newEngine();
    }

    public final EngineUnderTest engine() {
        return engine;
    }

    public final EngineUnderTest newEngine() {
        return new EngineUnderTest(store(), harness().clock());
    }

    /** Returns another replica of the service. */
    public final EngineUnderTest otherReplica() {
        return new EngineUnderTest(replica(), harness().clock());
    }

    /** Replaces the engine of this test. */
    public final void use(EngineUnderTest other) {
        engine = other;
    }

    public static Throwable failure(CompletableFuture<?> result) {
        assertThat(result).isCompletedExceptionally();
        try {
            result.join();
            throw new AssertionError("did not fail");
        } catch (CompletionException e) {
            return e.getCause() == null ? e : e.getCause();
        }
    }

    public static PartId newPartId() {
        return new PartId(UUID.randomUUID(), "kit/part");
    }

    public final Part part(Decision decision) {
        return Part.of(new PartId(EventIds.random(harness().clock().instant()), "kit/part"), Metadata.none(), decision);
    }

    public final CommitUnit unit(List<Part> parts) {
        return CommitUnit.of(parts, advance());
    }

    public final TokenAdvance advance() {
        StreamPosition start = StreamPosition.beginning(store().eventLog().identity());
        store().tokenStore().initialize(SEGMENT, Map.of("elsewhere", start));
        TokenClaim claim = store().tokenStore()
                .claim(SEGMENT, "kit", Duration.ofMinutes(10))
                .orElseThrow();
        return TokenAdvances.next(claim, token().version(), Map.of());
    }

    public final Token token() {
        return store().tokenStore().find(SEGMENT).orElseThrow();
    }

    public final RowUpdate<Noted> append(String key, String text) {
        return new RowUpdate<>(BOARD, key, row -> new Noted((row == null ? "" : row.text()) + text));
    }

    public final String row(String key) {
        return new ViewRows(store().viewStore(), codec)
                .find(BOARD, key)
                .orElseThrow()
                .text();
    }
}
