package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;

class KitReportTests {

    @Test
    void derivesAdapterAndPortFromClassName() {
        assertThat(KitReport.run("io.holdfast.memory.InMemoryEventLogTests"))
                .contains(new KitReport.Run("InMemory", "EventLog"));
        assertThat(KitReport.run("io.holdfast.memory.InMemoryCommitterFailureTests"))
                .contains(new KitReport.Run("InMemory", "CommitterFailure"));
    }

    @Test
    void distinguishesSkippedFromFailedTests() {
        KitReport.Cell cell = KitReport.Cell.of(TestExecutionResult.Status.SUCCESSFUL)
                .plus(KitReport.Cell.of(TestExecutionResult.Status.ABORTED))
                .plus(KitReport.Cell.of(TestExecutionResult.Status.FAILED));

        assertThat(cell.render()).isEqualTo("1, 1 FAILED, 1 skipped");
    }

    @Test
    void ignoresOtherTests() {
        assertThat(KitReport.run(KitReportTests.class.getName())).isEmpty();
    }
}
