package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KitReportTests {

    @Test
    void knowsAdapterAndPortOfARun() {
        assertThat(KitReport.run("io.holdfast.memory.InMemoryEventLogTests"))
                .contains(new KitReport.Run("InMemory", "EventLog"));
        assertThat(KitReport.run("io.holdfast.memory.InMemoryCommitterFailureTests"))
                .contains(new KitReport.Run("InMemory", "CommitterFailure"));
    }

    @Test
    void passesOverOtherTests() {
        assertThat(KitReport.run(KitReportTests.class.getName())).isEmpty();
    }
}
