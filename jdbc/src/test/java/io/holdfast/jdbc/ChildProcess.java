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

/** A process of its own, as the test that started it sees it. It dies with the test. */
final class ChildProcess implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Consumer<String> lineListener;
    private final Path errors;
    private final Process process;
    private final Thread reader;
    private final Set<String> receivedLines = ConcurrentHashMap.newKeySet();

    private ChildProcess(Class<?> main, List<String> arguments, Consumer<String> heard) throws IOException {
        this.lineListener = heard;
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
    static ChildProcess start(String url, ProcessResponses answers, String option) {
        return start(AppendingProcess.class, List.of(url, answers.next(), option), answers::accept);
    }

    /** @param heard is told every line that the process says */
    static ChildProcess start(Class<?> main, List<String> arguments, Consumer<String> heard) {
        try {
            return new ChildProcess(main, arguments, heard);
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

    /** Waits until something has come of it. */
    void awaitUntil(BooleanSupplier condition) {
        await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(() -> condition.getAsBoolean() || !isAlive());
        assertThat(isAlive()).as(this::errors).isTrue();
    }

    /** Waits until it stands at the moment that it was told to wait at. */
    void awaitMoment() {
        awaitUntil(() -> receivedLines.contains("AT"));
    }

    /** Lets it go on from there. */
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

    /** Waits until it was killed by SIGKILL, and until all that it had said was heard. */
    void awaitKilled() {
        awaitEndedBy(9);
    }

    /** Waits until it has ended for that signal, and until all that it had said was heard. */
    void awaitEndedBy(int signal) {
        try {
            assertThat(process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .as("it ends")
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
            return "its standard error cannot be read: " + e;
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
