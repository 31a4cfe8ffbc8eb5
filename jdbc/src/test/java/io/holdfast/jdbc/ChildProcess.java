package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Controls a child process of a test. Closing it kills the process. */
final class ChildProcess implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Consumer<String> lineListener;
    private final Path errors;
    private final Process process;
    private final Thread reader;
    private final Set<String> receivedLines = ConcurrentHashMap.newKeySet();

    private ChildProcess(Class<?> main, List<String> arguments, Consumer<String> lineListener) throws IOException {
        this.lineListener = lineListener;
        this.errors = Files.createTempFile("child-process", ".err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        this.process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        this.reader = new Thread(this::read, "reader-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts an {@link AppendingProcess}. */
    static ChildProcess start(String url, ProcessResponses responses, String option) {
        return start(AppendingProcess.class, List.of(url, responses.next(), option), responses::accept);
    }

    /** @param lineListener receives every line that the process prints */
    static ChildProcess start(Class<?> main, List<String> arguments, Consumer<String> lineListener) {
        try {
            return new ChildProcess(main, arguments, lineListener);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                lineListener.accept(line);
                if (!line.contains(" ")) {
                    receivedLines.add(line);
                }
            }
        } catch (IOException e) {
            lineListener.accept("FAILED reading: " + e);
        }
    }

    /** Waits until the condition holds; fails if the process dies first. */
    void awaitUntil(BooleanSupplier condition) {
        await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(() -> condition.getAsBoolean() || !isAlive());
        assertThat(isAlive()).as(this::errors).isTrue();
    }

    /** Waits until the process has reached the moment at which it pauses. */
    void awaitMoment() {
        awaitUntil(() -> receivedLines.contains("AT"));
    }

    /** Resumes the process at that moment. */
    void resume() {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a signal by name. */
    void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            assertThat(kill.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(kill.exitValue()).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Waits until SIGKILL has ended the process and all of its output was read. */
    void awaitKilled() {
        awaitEndedBy(9);
    }

    /** Waits until the signal has ended the process and all of its output was read. */
    void awaitEndedBy(int signal) {
        try {
            assertThat(process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .as("the process ends")
                    .isTrue();
            reader.join(BOUND.toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        assertThat(process.exitValue()).as(this::errors).isEqualTo(128 + signal);
    }

    private boolean isAlive() {
        return process.isAlive();
    }

    private String errors() {
        try {
            return "standard error of the process: " + Files.readString(errors);
        } catch (IOException e) {
            return "standard error of the process cannot be read: " + e;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS);
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
