package io.holdfast.processing;

import io.holdfast.token.SegmentSetup;
import io.holdfast.token.Token;
import io.holdfast.token.TokenClaim;
import io.holdfast.token.TokenStore;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Begins the work on a segment that was claimed: with its token as it is under the claim, and all that is parked of it. */
final class SegmentOpener {

    private static final Logger log = LoggerFactory.getLogger(SegmentOpener.class);

    private final ProcessorContext context;
    private final SegmentRequirements requirements;
    private final TokenStore tokens;

    SegmentOpener(ProcessorContext context, SegmentRequirements requirements) {
        this.context = context;
        this.requirements = requirements;
        this.tokens = context.stores().tokens();
    }

    /** @return empty if this version may not work on it, or somebody has changed it meanwhile; it is looked at again */
    Optional<SegmentWorker> open(TokenClaim claim, ProcessingBackoff hold) {
        Token token = tokens.find(claim.segment()).orElse(null);
        if (token == null || requirements.problem(token.setup()).isPresent()) {
            tokens.release(claim);
            return Optional.empty();
        }
        return setUp(claim, token).map(ready -> startWorker(claim, ready, hold));
    }

    private SegmentWorker startWorker(TokenClaim claim, Token token, ProcessingBackoff hold) {
        hold.clearIfCovered(token.positions());
        log.debug("Segment {} is worked on from {}", claim.segment(), token.positions());
        return new SegmentWorker(context, claim, token, hold);
    }

    /** From here on the components of this version are handed every event of the segment. */
    private Optional<Token> setUp(TokenClaim claim, Token token) {
        SegmentSetup wanted = requirements.completed(token);
        if (wanted.equals(token.setup())) {
            return Optional.of(token);
        }
        return tokens.setUp(claim, token.version(), wanted.policy(), wanted.components())
                ? Optional.of(token.withSetup(wanted))
                : Optional.empty();
    }
}
