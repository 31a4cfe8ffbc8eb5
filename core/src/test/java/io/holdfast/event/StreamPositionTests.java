package io.holdfast.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StreamPositionTests {

    private static final LogIdentity LOG = new LogIdentity(UUID.randomUUID(), 1);
    private static final UUID FIFTH = UUID.randomUUID();
    private static final StreamPosition AT_FIVE = new StreamPosition(LOG, 5, FIFTH);

    @Test
    void isFollowedByTheNextEventOfItsStream() {
        assertThat(AT_FIVE.isFollowedBy(event(LOG, 9, 5, FIFTH))).isTrue();
        assertThat(StreamPosition.beginning(LOG).isFollowedBy(event(LOG, 9, 0, null)))
                .isTrue();
    }

    @Test
    void isFollowedByTheNextEventAfterAStartBetweenTwoEvents() {
        StreamPosition now = new StreamPosition(LOG, 7, null);

        assertThat(now.isFollowedBy(event(LOG, 9, 5, FIFTH))).isTrue();
    }

    @Test
    void isNotFollowedAcrossAGap() {
        assertThat(AT_FIVE.isFollowedBy(event(LOG, 9, 7, UUID.randomUUID()))).isFalse();
    }

    @Test
    void isNotFollowedByTheSuccessorOfAnotherEventAtItsPosition() {
        assertThat(AT_FIVE.isFollowedBy(event(LOG, 9, 5, UUID.randomUUID()))).isFalse();
    }

    @Test
    void isNotFollowedByEventsOfAnotherLogOrEpoch() {
        assertThat(AT_FIVE.isFollowedBy(event(new LogIdentity(UUID.randomUUID(), 1), 9, 5, FIFTH)))
                .isFalse();
        assertThat(AT_FIVE.isFollowedBy(event(new LogIdentity(LOG.id(), 2), 9, 5, FIFTH)))
                .isFalse();
    }

    @Test
    void coversEventsAtOrBelowIt() {
        assertThat(AT_FIVE.covers(event(LOG, 5, 0, null))).isTrue();
        assertThat(AT_FIVE.covers(event(LOG, 6, 0, null))).isFalse();
        assertThat(AT_FIVE.isFollowedBy(event(LOG, 5, 0, null))).isFalse();
    }

    @Test
    void rejectsLogPositionsThatDoNotFollowTheirPredecessor() {
        assertThatThrownBy(() -> new LogPosition(LOG, 5, 5, FIFTH)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LogPosition(LOG, 5, 0, FIFTH)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LogPosition(LOG, 5, 4, null)).isInstanceOf(IllegalArgumentException.class);
    }

    private static EventMessage event(LogIdentity log, long position, long previous, @Nullable UUID previousId) {
        return new EventMessage(
                UUID.randomUUID(),
                "service",
                "stream",
                "key",
                1,
                Instant.EPOCH,
                Metadata.none(),
                new Payload("Happened", 1, "{}"),
                new LogPosition(log, position, previous, previousId));
    }
}
