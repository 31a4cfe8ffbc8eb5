package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;

/** A JVM that a test starts and that reports numbers on its standard output. {@link #close} kills it. */
final class JavaProcess implements AutoCloseable {

    static final Duration BOUND = Duration.ofSeconds(90);

    private final String name;
    private final Path errors;
    private final Process process;
    private volatile long lastReported = -1;

    private JavaProcess(String name, List<String> command, Path folder) throws IOException {
        this.name = name;
        this.errors = Files.createTempFile(folder, name, ".err");
        this.process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(errors.toFile())
                .start();
        Thread reader = new Thread(this::read, "reader-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a main class.
     *
     * @param classPath the class path of the process
     */
    static JavaProcess start(String name, Path folder, String classPath, List<String> mainAndArguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                classPath));
        command.addAll(mainAndArguments);
        try {
            return new JavaProcess(name, command, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(ProcessProtocol.PREFIX)) {
                    lastReported = Long.parseLong(line.substring(ProcessProtocol.PREFIX.length()));
                }
            }
        } catch (IOException e) {
            // The process was killed while it wrote.
        }
    }

    /** Sends a number to the process. */
    void send(long number) {
        try {
            process.getOutputStream().write((number + "\n").getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the process has reported this number or a higher one. */
    void awaitReported(long number) {
        try {
            await().alias(name + " reports " + number)
                    .atMost(BOUND)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> lastReported >= number || !process.isAlive());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(name + " reported " + lastReported + " instead of " + number + "; " + errors(), e);
        }
        assertThat(lastReported).as(this::errors).isGreaterThanOrEqualTo(number);
    }

    /** Kills the process as {@code kill -9} does and waits until it has exited. */
    void kill() {
        assertThat(process.isAlive()).as(this::errors).isTrue();
        process.destroyForcibly();
        awaitExit();
    }

    private void awaitExit() {
        try {
            assertThat(process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private String errors() {
        try {
            return "standard error of " + name + ": " + Files.readString(errors);
        } catch (IOException e) {
            return "standard error of " + name + " cannot be read: " + e;
        }
    }

    /** Returns the last reported number and the standard error. */
    @Override
    public String toString() {
        return name + (process.isAlive() ? " is alive" : " has exited") + ", last reported " + lastReported + "; "
                + errors();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        awaitExit();
    }
}
