package io.holdfast.examples.shop.demo;

import io.holdfast.examples.shop.launcher.ShopService;
import io.holdfast.testsupport.JavaProcess;
import io.holdfast.testsupport.Signal;
import java.nio.file.Path;
import java.time.Duration;

/** Runs {@code ./demo} in its own process, which can be killed. */
final class DemoProcess implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(60);

    private final JavaProcess process;

    private DemoProcess(JavaProcess process) {
        this.process = process;
    }

    static DemoProcess start(Path data, String... more) {
        return new DemoProcess(JavaProcess.builder(Demo.class)
                .jvmOptions(
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=4",
                        "-D" + ShopService.FIRST_PORT_PROPERTY + "="
                                + System.getProperty(ShopService.FIRST_PORT_PROPERTY),
                        "-Dshop.member-port=" + System.getProperty("shop.member-port"))
                .arguments("--data", data.toString())
                .arguments(more)
                .timeout(START_TIMEOUT)
                .start());
    }

    DemoProcess awaitReady() {
        process.awaitLine(line -> line.contains("Press Ctrl-C to stop the shop"));
        return this;
    }

    /** Continues with the next step of a scenario. */
    void pressEnter() {
        process.send("");
    }

    /** Kills the process as {@code kill -9} does. */
    void kill() {
        process.kill();
    }

    /** Stops the process as Ctrl-C does, and returns its exit code. */
    int interrupt() {
        process.signal(Signal.TERM);
        return process.awaitExit(SHUTDOWN_TIMEOUT);
    }

    @Override
    public void close() {
        process.close();
    }
}
