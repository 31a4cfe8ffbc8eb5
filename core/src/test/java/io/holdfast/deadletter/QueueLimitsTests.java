package io.holdfast.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import org.junit.jupiter.api.Test;

class QueueLimitsTests {

    @Test
    void reportsAllInvalidLimitsTogether() {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> new QueueLimits(-1, 0, 0))
                .withMessageContaining("max-sequences must be 0 or more, but is -1")
                .withMessageContaining("max-sequence-size must be 1 or more, but is 0")
                .withMessageContaining("max-waiting must be 1 or more, but is 0");
    }

    @Test
    void acceptsMinimumValues() {
        assertThatCode(() -> new QueueLimits(0, 1, 1)).doesNotThrowAnyException();
    }

    @Test
    void rejectsNonPositiveSettingsOfQueue() {
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> settings(0, 1))
                .withMessageContaining("max-sequences")
                .withMessageContaining("must be 1 or more, but is 0")
                .withMessageContaining("disable it");
        assertThatExceptionOfType(PermanentException.class)
                .isThrownBy(() -> settings(1, -1))
                .withMessageContaining("cache.size")
                .withMessageContaining("but is -1");
        assertThatCode(() -> settings(1, 0)).doesNotThrowAnyException();
    }

    private static QueueSettings settings(int maxSequences, int cacheSize) {
        return new QueueSettings(true, new QueueLimits(maxSequences, 1, 1), cacheSize, EnqueuePolicy.ALWAYS_ENQUEUE);
    }

    @Test
    void disabledQueueAllowsNoPendingSequence() {
        QueueSettings disabled = new QueueSettings(false, QueueLimits.DEFAULT, 0, EnqueuePolicy.ALWAYS_ENQUEUE);

        assertThat(disabled.effectiveLimits())
                .isEqualTo(new QueueLimits(0, QueueLimits.DEFAULT_MAX_SEQUENCE_SIZE, QueueLimits.DEFAULT_MAX_WAITING));
        assertThat(QueueSettings.DEFAULT.effectiveLimits()).isEqualTo(QueueLimits.DEFAULT);
    }
}
