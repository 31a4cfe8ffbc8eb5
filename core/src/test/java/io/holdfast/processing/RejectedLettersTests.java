package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.Payload;
import io.holdfast.handling.Component;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** If the store rejects the effects of one letter, the letters before it are still replayed. */
class RejectedLettersTests extends ProcessorScenario {

    @Test
    void keepsRejectedLetterAndReplaysThoseBeforeIt() {
        store.transactions().run(() -> store.outboxStore()
                .write("rows", "a", new NewEvent(new Payload("Changed", 1, "{}"), Metadata.none())));
        Component copying = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    copy(event, context);
                    if (event.text().equals("a3")) {
                        context.decide(decision -> decision.append(texts("rows"), "a", event));
                    }
                })
                .build();
        appendInput("a", "a1", "a2", "a3", "a4");
        failing.add("a1");
        EventProcessor processor = processor("copier", copying);
        run(processor);
        assertThat(parkedTexts("a")).containsExactly("a1", "a2", "a3", "a4");
        failing.clear();

        runFor(Duration.ofSeconds(10), processor);

        assertThat(output("a")).containsExactly("a1", "a2");
        assertThat(parkedTexts("a")).containsExactly("a3", "a4");
        assertThat(letters("a").get(0).cause()).isNotNull();
    }
}
