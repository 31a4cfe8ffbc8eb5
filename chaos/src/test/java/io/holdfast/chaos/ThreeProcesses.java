package io.holdfast.chaos;

import io.holdfast.testsupport.StockMember;
import java.nio.file.Path;

/** A counting service, a copying service and a stock member between them, each in its own process. */
final class ThreeProcesses implements AutoCloseable {

    private final Path folder;
    private final StockMember member = new StockMember();
    private ReportingProcess counting;
    private ReportingProcess copying;

    ThreeProcesses(Path folder) {
        this.folder = folder;
        this.counting = startCounting();
        this.copying = startCopying();
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
        member.restart();
    }

    void killAndRestartCounting() {
        counting.kill();
        counting = startCounting();
    }

    void killAndRestartCopying() {
        copying.kill();
        copying = startCopying();
    }

    private ReportingProcess startCounting() {
        return start("counting", CountingProcess.class);
    }

    private ReportingProcess startCopying() {
        return start("copying", CopyingProcess.class);
    }

    private ReportingProcess start(String service, Class<?> main) {
        return new ReportingProcess(
                main, folder, ServiceProcess.url(folder, service), member.cluster(), member.address());
    }

    @Override
    public void close() {
        counting.close();
        copying.close();
        member.close();
    }
}
