package io.holdfast.tck.simulation;

import io.holdfast.commit.CommitUnit;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.tck.EngineUnderTest;
import io.holdfast.tck.StoreHarness;
import io.holdfast.token.HeldToken;
import io.holdfast.token.SegmentLease;
import io.holdfast.token.Token;
import io.holdfast.token.TokenAdvance;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.util.List;
import java.util.Map;

/** The person who is asked when attempts are used up: lets everything be tried again. */
final class Operator {

    private final StoreHarness harness;
    private final TokenStore tokens;

    Operator(StoreHarness harness) {
        this.harness = harness;
        this.tokens = harness.store().tokenStore();
    }

    /** Makes what waits for a person due again, in the segments that nobody holds. */
    void retryPending() {
        for (HeldToken held : tokens.findAll(SinkReplica.PROCESSOR)) {
            if (!pending(held.token()).isEmpty()) {
                tokens.claim(held.token().segment(), "operator", SegmentLease.DEFAULT_LEASE)
                        .ifPresent(this::retryPending);
            }
        }
    }

    private void retryPending(TokenClaim claim) {
        Token token = tokens.find(claim.segment()).orElseThrow();
        List<ParkedSequence> due = pending(token).stream()
                .map(sequence -> sequence.retrying(0, harness.clock().instant()))
                .toList();
        EngineUnderTest engine = new EngineUnderTest(harness.store(), harness.clock());
        var answer = engine.submit(CommitUnit.of(
                List.of(),
                new TokenAdvance(claim, token.version(), Map.of(), token.marks()),
                new LetterWrites(List.of(), List.of(), List.of(), due, List.of())));
        engine.commit();
        answer.join();
        tokens.release(claim);
    }

    private List<ParkedSequence> pending(Token token) {
        return harness
                .store()
                .deadLetterStore()
                .findSequences(
                        SinkReplica.PROCESSOR,
                        token.segment().number(),
                        token.setup().mask())
                .stream()
                .filter(sequence -> sequence.state() == SequenceState.PENDING)
                .toList();
    }
}
