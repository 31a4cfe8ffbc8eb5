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
    void namesQueueAfterProcessorAndComponent() {
        assertThat(QUEUE).isEqualTo("DeadLetterQueue[billing][invoices]");
    }

    @Test
    void inheritsUnsetSettingsFromWiderConfiguration() {
        QueueSettings wider = new QueueConfiguration()
                .maxSequences(5)
                .maxWaiting(6)
                .disabled()
                .resolve(QUEUE, QueueSettings.DEFAULT);

        QueueSettings configured = new QueueConfiguration()
                .maxSequences(7)
                .maxSequenceSize(8)
                .cacheSize(9)
                .enabled()
                .resolve(QUEUE, wider);

        assertThat(wider.enabled()).isFalse();
        assertThat(configured)
                .isEqualTo(new QueueSettings(true, new QueueLimits(7, 8, 6), 9, QueueSettings.DEFAULT.policy()));
    }

    @Test
    void emptyConfigurationInheritsEverything() {
        assertThat(new QueueConfiguration().resolve(QUEUE, QueueSettings.DEFAULT))
                .isEqualTo(QueueSettings.DEFAULT);
    }

    @Test
    void appliesFactoryLast() {
        List<String> calls = new ArrayList<>();
        QueueConfiguration configuration = new QueueConfiguration()
                .factory((queue, configured) -> {
                    calls.add(queue + " " + configured.cacheSize());
                    return QueueSettings.DEFAULT;
                })
                .cacheSize(3);

        assertThat(configuration.resolve(QUEUE, QueueSettings.DEFAULT)).isEqualTo(QueueSettings.DEFAULT);
        assertThat(calls).containsExactly(QUEUE + " 3");
    }

    @Test
    void rejectsNonPositiveLimits() {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> new QueueConfiguration().maxSequences(0).resolve(QUEUE, QueueSettings.DEFAULT))
                .withMessageContaining("max-sequences");
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> new QueueConfiguration().maxSequenceSize(0).resolve(QUEUE, QueueSettings.DEFAULT))
                .withMessageContaining("max-sequence-size");
    }
}
