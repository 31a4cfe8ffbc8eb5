package io.holdfast.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that a test starts, talks to and kills. Every wait is bounded, and a failed one reports the output of the
 * process. Neither the process nor its children survive {@link #close} or the JVM of the test.
 */
public final class JavaProcess implements AutoCloseable {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(2);
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(JavaProcess::killWithChildren)));
    }

    private final String name;
    private final Duration timeout;
    private final Consumer<String> lineListener;
    private final Queue<String> output = new ConcurrentLinkedQueue<>();
    private final Path errors;
    private final Process process;
    private final Thread reader;
    private volatile @Nullable IOException readFailure;

    JavaProcess(String name, ProcessBuilder command, Duration timeout, Consumer<String> lineListener)
            throws IOException {
        this.name = name;
        this.timeout = timeout;
        this.lineListener = lineListener;
        this.errors = Files.createTempFile(name, ".err");
        // Not merged with the standard output: a log line in the middle of another line would garble it.
        this.process = command.redirectError(errors.toFile()).start();
        RUNNING.add(process);
        this.reader = new Thread(this::read, "reader-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    public static JavaProcessBuilder builder(Class<?> mainClass) {
        return builder(mainClass.getName());
    }

    public static JavaProcessBuilder builder(String mainClass) {
        return new JavaProcessBuilder(mainClass);
    }

    private void read() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                lineListener.accept(line);
                output.add(line);
            }
        } catch (IOException e) {
            readFailure = e;
        }
    }

    /** Writes a line to the standard input of the process. */
    public void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the process has printed such a line; fails if it exits first. */
    public void awaitLine(Predicate<String> expected) {
        awaitUntil(() -> output.stream().anyMatch(expected));
    }

    /** Waits until the condition holds; fails if the process exits first. */
    public void awaitUntil(BooleanSupplier condition) {
        try {
            await().atMost(timeout)
                    .pollInterval(POLL_INTERVAL)
                    .until(() -> condition.getAsBoolean() || !process.isAlive());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("not within " + timeout.toSeconds() + " s; " + this, e);
        }
        assertThat(process.isAlive()).as(this::toString).isTrue();
    }

    public void signal(Signal signal) {
        assertThat(signal.send(List.of(process.pid()))).as(this::toString).isZero();
    }

    /** Kills the process with SIGKILL and waits until it has exited and all of its output was read. */
    public void kill() {
        signal(Signal.KILL);
        awaitEndedBy(Signal.KILL);
    }

    /** Waits until the signal has ended the process and all of its output was read. */
    public void awaitEndedBy(Signal signal) {
        assertThat(awaitExit(timeout)).as(this::toString).isEqualTo(signal.exitCode());
    }

    /** Waits until the process has exited and all of its output was read, and returns its exit code. */
    public int awaitExit(Duration atMost) {
        try {
            assertThat(process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS))
                    .as(() -> "exits within " + atMost.toSeconds() + " s: " + this)
                    .isTrue();
            reader.join(timeout.toMillis());
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        assertThat(reader.isAlive()).as(() -> "still reading " + this).isFalse();
        assertThat(readFailure).as(this::toString).isNull();
        return process.exitValue();
    }

    /** Returns the state of the process and all of its output. */
    @Override
    public String toString() {
        String state = process.isAlive() ? " is running" : " has exited with code " + process.exitValue();
        return name + state + "; standard output:\n" + String.join("\n", output) + "\nstandard error:\n" + errors();
    }

    private String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return "cannot be read: " + e;
        }
    }

    /** Kills the process and its children. Does nothing if they have exited. */
    @Override
    public void close() {
        killWithChildren(process);
        try {
            assertThat(process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS))
                    .as("%s exits", name)
                    .isTrue();
            reader.join(timeout.toMillis());
            RUNNING.remove(process);
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static void killWithChildren(Process process) {
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
