package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** An {@link AppendingProcess}, as the test that started it sees it. It dies with the test. */
final class ChildProcess implements AutoCloseable {

    private static final Duration BOUND = Duration.ofSeconds(60);

    private final Answers answers;
    private final Path errors;
    private final Process process;
    private final Thread reader;
    private final Set<String> said = ConcurrentHashMap.newKeySet();

    private ChildProcess(String url, Answers answers, String option) throws IOException {
        this.answers = answers;
        this.errors = Files.createTempFile("appending-process", ".err");
        this.process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AppendingProcess.class.getName(),
                        url,
                        answers.next(),
                        option)
                .redirectError(errors.toFile())
                .start();
        this.reader = new Thread(this::read, "reader-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static ChildProcess start(String url, Answers answers, String option) {
        try {
            return new ChildProcess(url, answers, option);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.heard(line);
                if (!line.contains(" ")) {
                    said.add(line);
                }
            }
        } catch (IOException e) {
            answers.heard("FAILED reading: " + e);
        }
    }

    /** Waits until so many events were acknowledged in all. */
    void awaitAnswers(int count) {
        await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(() -> answers.count() >= count || !isAlive());
        assertThat(isAlive()).as(this::errors).isTrue();
    }

    /** Waits until it stands at the moment that it was told to wait at. */
    void awaitMoment() {
        await().atMost(BOUND).pollInterval(Duration.ofMillis(2)).until(() -> said.contains("AT") || !isAlive());
        assertThat(isAlive()).as(this::errors).isTrue();
    }

    /** Lets it go on from there. */
    void goOn() {
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
        try {
            assertThat(process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .as("it ends")
                    .isTrue();
            reader.join(BOUND.toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        assertThat(process.exitValue()).as(this::errors).isEqualTo(128 + 9);
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
