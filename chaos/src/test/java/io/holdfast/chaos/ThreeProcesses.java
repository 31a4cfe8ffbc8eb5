package io.holdfast.chaos;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/** A counting service, a copying service and a stock member between them, each in its own process. */
final class ThreeProcesses implements AutoCloseable {

    private final Path folder;
    private final StockMember stock;
    private JavaProcess member;
    private JavaProcess counting;
    private JavaProcess copying;

    ThreeProcesses(Path folder) {
        this.folder = folder;
        this.stock = new StockMember(folder, "chaos-" + UUID.randomUUID());
        this.member = stock.start();
        this.counting = start("counting", CountingProcess.class);
        this.copying = start("copying", CopyingProcess.class);
    }

    void countTo(long number) {
        counting.awaitReported(0);
        counting.send(number);
    }

    void awaitCopied(long events) {
        try {
            copying.awaitReported(events);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + counting + "\n" + member, e);
        }
    }

    /** The restarted member is empty. */
    void killAndRestartMember() {
        member.kill();
        member = stock.start();
    }

    void killAndRestartCounting() {
        counting.kill();
        counting = start("counting", CountingProcess.class);
    }

    void killAndRestartCopying() {
        copying.kill();
        copying = start("copying", CopyingProcess.class);
    }

    private JavaProcess start(String service, Class<?> main) {
        return JavaProcess.start(
                service,
                folder,
                System.getProperty("java.class.path"),
                List.of(main.getName(), ServiceProcess.url(folder, service), stock.cluster(), stock.address()));
    }

    @Override
    public void close() {
        counting.close();
        copying.close();
        member.close();
    }
}
