package io.holdfast.processing.segment;

import io.holdfast.token.ProcessorDefinition;
import io.holdfast.token.SegmentSetup;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a claimed segment: with its token as stored under the claim, and with all its parked sequences. */
final class SegmentOpener {

    private static final Logger log = LoggerFactory.getLogger(SegmentOpener.class);

    private final ProcessorContext context;
    private final SegmentRequirements requirements;
    private final ProcessorRegistration registration;
    private final TokenStore tokens;

    SegmentOpener(ProcessorContext context, SegmentRequirements requirements, ProcessorRegistration registration) {
        this.registration = registration;
        this.context = context;
        this.requirements = requirements;
        this.tokens = context.stores().tokens();
    }

    /**
     * @return empty if this version may not work on the segment, or it was changed concurrently; it is examined again
     *     later
     */
    Optional<SegmentWorker> open(TokenClaim claim, ProcessingBackoff backoff, LostTransactions lostTransactions) {
        Token token = tokens.find(claim.segment()).orElse(null);
        if (token == null || requirements.problem(token.setup()).isPresent()) {
            tokens.release(claim);
            return Optional.empty();
        }
        ProcessorDefinition definition = registration.current();
        SegmentSetup wanted = requirements.completed(token, definition);
        if (wanted.equals(token.setup())) {
            return startWorker(claim, token, definition, backoff, lostTransactions);
        }
        // a segment that was created after the definition
        return tokens.setUp(claim, token.version(), wanted.policy(), wanted.components())
                ? open(claim, backoff, lostTransactions)
                : Optional.empty();
    }

    private Optional<SegmentWorker> startWorker(
            TokenClaim claim,
            Token token,
            ProcessorDefinition definition,
            ProcessingBackoff backoff,
            LostTransactions lostTransactions) {
        backoff.clearIfCovered(token.positions());
        log.debug("Segment {} opened at {}", claim.segment(), token.positions());
        SegmentComponents components = new SegmentComponents(context, definition, registration.retiredComponents());
        SegmentWorker worker = new SegmentWorker(context, components, claim, token, backoff, lostTransactions);
        boolean isUnchanged = tokens.find(claim.segment()) // since the token was read, before the parked sequences
                .filter(stored -> stored.version() == token.version())
                .isPresent();
        return isUnchanged ? Optional.of(worker) : Optional.empty();
    }
}
