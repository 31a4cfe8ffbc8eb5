package io.holdfast.examples.shop.demo;

import static org.awaitility.Awaitility.await;

import io.holdfast.examples.shop.launcher.ShopService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code ./demo} in its own process, which can be killed. */
final class DemoProcess implements AutoCloseable {

    private final Process process;
    private final Path output;

    private DemoProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static DemoProcess start(Path data, Path output, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-D" + ShopService.FIRST_PORT_PROPERTY + "=" + System.getProperty(ShopService.FIRST_PORT_PROPERTY),
                "-Dshop.member-port=" + System.getProperty("shop.member-port"),
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getName(),
                "--data",
                data.toString()));
        command.addAll(List.of(more));
        try {
            return new DemoProcess(
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                            .start(),
                    output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    DemoProcess awaitReady() {
        await("the demo is ready: " + output).atMost(Duration.ofMinutes(2)).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("the demo exited:\n" + output());
            }
            return output().contains("Press Ctrl-C to stop the shop");
        });
        return this;
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Continues with the next step of a scenario. */
    void pressEnter() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** Kills the process as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
        await("the demo is dead").atMost(Duration.ofSeconds(10)).until(() -> !process.isAlive());
    }

    /** Stops the process as Ctrl-C does, and returns its exit code. */
    int interrupt() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the demo did not exit within 60 s:\n" + output());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
