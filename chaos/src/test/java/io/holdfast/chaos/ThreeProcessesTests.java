package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.event.PayloadCodec;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.view.ViewRows;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two services and the cluster between them, all killed while events flow. */
class ThreeProcessesTests {

    private static final int ROUNDS = 10;
    private static final long PER_KEY_AND_ROUND = 50;
    private static final long PER_ROUND = PER_KEY_AND_ROUND * Numbers.KEYS;

    @TempDir
    private Path folder;

    private final PayloadCodec codec = new PayloadCodec();
    private StockMember stock;
    private JavaProcess member;
    private JavaProcess counting;
    private JavaProcess copying;

    @AfterEach
    void endProcesses() {
        counting.close();
        copying.close();
        member.close();
    }

    @Test
    void everyEventIsHandledOnceAndInOrderWhoeverIsKilled() {
        stock = new StockMember(folder, "chaos-" + UUID.randomUUID());
        member = stock.start();
        counting = start("counting", CountingProcess.class);
        copying = start("copying", CopyingProcess.class);

        for (int round = 1; round <= ROUNDS; round++) {
            counting.awaitSaid(0);
            counting.tell(round * PER_KEY_AND_ROUND);
            if (round < ROUNDS) {
                killInTheMiddle(round);
            }
            copying.awaitSaid(round * PER_ROUND);
        }

        endProcesses();
        check("counting", "numbers");
        check("copying", "copies");
        checkTotals();
    }

    /** Each of the three in its turn, while events are being written, carried and handled. */
    private void killInTheMiddle(int round) {
        long before = (round - 1) * PER_ROUND;
        switch (round % 3) {
            case 1 -> {
                copying.awaitSaid(before + PER_ROUND / 4);
                member.kill();
                member = stock.start();
            }
            case 2 -> {
                copying.awaitSaid(before + PER_ROUND / 4);
                copying.kill();
                copying = start("copying", CopyingProcess.class);
            }
            default -> {
                copying.awaitSaid(before + PER_ROUND / 4);
                counting.kill();
                counting = start("counting", CountingProcess.class);
                counting.awaitSaid(0);
                counting.tell(round * PER_KEY_AND_ROUND);
            }
        }
    }

    private JavaProcess start(String service, Class<?> main) {
        return JavaProcess.start(
                service,
                folder,
                System.getProperty("java.class.path"),
                List.of(
                        main.getName(),
                        ServiceProcess.url(folder, service),
                        stock.cluster(),
                        stock.address()));
    }

    private void check(String service, String stream) {
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

    private void checkTotals() {
        try (JdbcStore store = ServiceProcess.store("copying", ServiceProcess.url(folder, "copying"))) {
            ViewRows rows = new ViewRows(store.viewStore(), codec);
            for (String key : Numbers.keys()) {
                assertThat(rows.find(Numbers.TOTALS, key))
                        .contains(new Numbers.Count(ROUNDS * PER_KEY_AND_ROUND));
            }
        }
    }
}
