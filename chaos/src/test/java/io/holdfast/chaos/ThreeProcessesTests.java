package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.view.ViewRows;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills two services and the member between them while events flow. Long; CI kills the demo instead. */
@Tag("long")
class ThreeProcessesTests {

    private static final int ROUNDS = 10;
    private static final long PER_KEY_AND_ROUND = 50;
    private static final long PER_ROUND = PER_KEY_AND_ROUND * Numbers.KEYS;

    private final PayloadCodec codec = new PayloadCodec();

    @Test
    void handlesEveryEventOnceAndInOrderWhicheverProcessIsKilled(@TempDir Path folder) {
        try (ThreeProcesses processes = new ThreeProcesses(folder)) {
            for (int round = 1; round <= ROUNDS; round++) {
                processes.countTo(round * PER_KEY_AND_ROUND);
                if (round < ROUNDS) {
                    processes.awaitCopied((round - 1) * PER_ROUND + PER_ROUND / 4);
                    kill(processes, round);
                }
                processes.awaitCopied(round * PER_ROUND);
            }
        }

        check(folder, "counting", "numbers");
        check(folder, "copying", "copies");
        checkTotals(folder);
    }

    /** Kills one of the three per round, while events are written, published and handled. */
    private static void kill(ThreeProcesses processes, int round) {
        switch (round % 3) {
            case 1 -> processes.killAndRestartMember();
            case 2 -> processes.killAndRestartCopying();
            default -> {
                processes.killAndRestartCounting();
                processes.countTo(round * PER_KEY_AND_ROUND);
            }
        }
    }

    private void check(Path folder, String service, String stream) {
        try (JdbcStore store = ServiceProcess.store(service, ServiceProcess.url(folder, service))) {
            assertThat(store.eventLog().head(stream).position()).isEqualTo(ROUNDS * PER_ROUND);
            for (String key : Numbers.keys()) {
                List<EventMessage> events = store.eventLog().readKey(stream, key, 0, Integer.MAX_VALUE);
                assertThat(events)
                        .as("%s of %s", key, stream)
                        .extracting(event -> codec.decode(event.payload(), Numbers.Count.class)
                                .number())
                        .containsExactlyElementsOf(LongStream.rangeClosed(1, ROUNDS * PER_KEY_AND_ROUND)
                                .boxed()
                                .toList());
            }
        }
    }

    private void checkTotals(Path folder) {
        try (JdbcStore store = ServiceProcess.store("copying", ServiceProcess.url(folder, "copying"))) {
            ViewRows rows = new ViewRows(store.viewStore(), codec);
            for (String key : Numbers.keys()) {
                assertThat(rows.find(Numbers.TOTALS, key)).contains(new Numbers.Count(ROUNDS * PER_KEY_AND_ROUND));
            }
        }
    }
}
