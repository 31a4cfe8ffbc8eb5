package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.token.HeldToken;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a replica gives back is free for others. */
class ReleasingTests extends ProcessorScenario {

    @Test
    void freesASegmentThatWasChangedUnderItsClaimWhileItWasToLeave() {
        say("a", "a1");
        EventProcessor processor = processor("copier", copying());
        run(processor);
        var answer = processor.release(0);
        processor.resume(); // raises the version, so that what is known of the segment does not count
        clock.advance(Duration.ofSeconds(1));

        processor.step();
        processor.step();

        assertThat(answer).isCompleted();
        assertThat(store.tokenStore().findAll("copier"))
                .extracting(HeldToken::owner)
                .containsOnlyNulls();
    }
}
