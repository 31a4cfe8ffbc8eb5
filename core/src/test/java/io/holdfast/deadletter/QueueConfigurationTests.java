package io.holdfast.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueConfigurationTests {

    private static final String QUEUE = SequencedDeadLetterQueue.name("billing", "invoices");

    @Test
    void namesAQueueByProcessorAndComponent() {
        assertThat(QUEUE).isEqualTo("DeadLetterQueue[billing][invoices]");
    }

    @Test
    void takesWhatItDoesNotSayFromTheWiderOne() {
        QueueSettings wider = new QueueConfiguration()
                .maxSequences(5)
                .maxWaiting(6)
                .disabled()
                .resolve(QUEUE, QueueSettings.DEFAULT);

        QueueSettings said = new QueueConfiguration()
                .maxSequences(7)
                .maxSequenceSize(8)
                .cacheSize(9)
                .enabled()
                .resolve(QUEUE, wider);

        assertThat(wider.enabled()).isFalse();
        assertThat(said)
                .isEqualTo(new QueueSettings(true, new QueueLimits(7, 8, 6), 9, QueueSettings.DEFAULT.policy()));
    }

    @Test
    void ofNothingIsTheWiderOne() {
        assertThat(new QueueConfiguration().resolve(QUEUE, QueueSettings.DEFAULT))
                .isEqualTo(QueueSettings.DEFAULT);
    }

    @Test
    void asksItsFactoryLast() {
        List<String> asked = new ArrayList<>();
        QueueConfiguration configuration = new QueueConfiguration()
                .factory((queue, said) -> {
                    asked.add(queue + " " + said.cacheSize());
                    return QueueSettings.DEFAULT;
                })
                .cacheSize(3);

        assertThat(configuration.resolve(QUEUE, QueueSettings.DEFAULT)).isEqualTo(QueueSettings.DEFAULT);
        assertThat(asked).containsExactly(QUEUE + " 3");
    }

    @Test
    void rejectsLimitsThatAreNotPositive() {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> new QueueConfiguration().maxSequences(0).resolve(QUEUE, QueueSettings.DEFAULT))
                .withMessageContaining("max-sequences");
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> new QueueConfiguration().maxSequenceSize(0).resolve(QUEUE, QueueSettings.DEFAULT))
                .withMessageContaining("max-sequence-size");
    }
}
