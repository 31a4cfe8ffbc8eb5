package io.holdfast.chaos;

import io.holdfast.testsupport.JavaProcess;
import java.nio.file.Path;
import java.time.Duration;

/** Controls a service in its own process, which follows the {@link ProcessProtocol}. */
final class ReportingProcess implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private final JavaProcess process;
    private volatile long lastReported = -1;

    ReportingProcess(Class<?> main, Path folder, String... arguments) {
        this.process = JavaProcess.builder(main)
                .arguments(arguments)
                .jvmOptions("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
                .directory(folder)
                .timeout(TIMEOUT)
                .onLine(this::accept)
                .start();
    }

    private void accept(String line) {
        if (line.startsWith(ProcessProtocol.PREFIX)) {
            lastReported = Long.parseLong(line.substring(ProcessProtocol.PREFIX.length()));
        }
    }

    void send(long number) {
        process.send(Long.toString(number));
    }

    /** Waits until the process has reported this number or a higher one. */
    void awaitReported(long number) {
        try {
            process.awaitUntil(() -> lastReported >= number);
        } catch (AssertionError e) {
            throw new AssertionError("reported " + lastReported + " instead of " + number + "; " + e.getMessage(), e);
        }
    }

    void kill() {
        process.kill();
        process.close();
    }

    @Override
    public String toString() {
        return process.toString();
    }

    @Override
    public void close() {
        process.close();
    }
}
