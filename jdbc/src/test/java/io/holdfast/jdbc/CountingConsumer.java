package io.holdfast.jdbc;

import io.holdfast.RetryableException;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.SinglePart;
import io.holdfast.tck.harness.TokenAdvances;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenClaim;
import io.holdfast.view.View;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Advances a token, increments a row and appends an event in one unit, in an endless loop. */
final class CountingConsumer implements Runnable {

    static final Segment SEGMENT = new Segment("counting", 0);
    static final View<Count> VIEW = new View<>("counts", Count.class);
    /** The account into which it deposits, and the key of its row. */
    static final String COUNTED = "counted";

    private final Bank bank;

    CountingConsumer(Bank bank) {
        this.bank = bank;
    }

    @Override
    public void run() {
        TokenClaim claim = claim();
        while (true) {
            try {
                AppendingProcess.printLine("COUNTED " + advance(claim));
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof RetryableException) && !(e.getCause() instanceof StaleTokenException)) {
                    AppendingProcess.printLine("FAILED counting " + e);
                    return;
                }
            } catch (RetryableException e) {
                AppendingProcess.printLine("RETRY counting " + e);
            }
        }
    }

    TokenClaim claim() {
        bank.store().tokenStore().initialize(SEGMENT, Map.of());
        return bank.store()
                .tokenStore()
                .claim(SEGMENT, "only-owner", Duration.ofMinutes(10))
                .orElseThrow();
    }

    /** @return the id of the event */
    UUID advance(TokenClaim claim) {
        long version = bank.store().tokenStore().find(SEGMENT).orElseThrow().version();
        UUID cause = EventIds.ofCommand(COUNTED, Long.toString(version));
        SinglePart part = SinglePart.of(cause, "bank/counting", Metadata.none(), Accounts.deposit(COUNTED, 1))
                .updating(VIEW, COUNTED, CountingConsumer::next)
                .advancing(TokenAdvances.next(claim, version, Map.of()))
                .asRepeatable();
        bank.engine().submit(part).join();
        return part.eventId();
    }

    private static Count next(@Nullable Count count) {
        return new Count(count == null ? 1 : count.value() + 1);
    }

    /** How often the token was advanced. */
    record Count(long value) {}
}
