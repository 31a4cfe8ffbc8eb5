package io.holdfast.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JavaProcessTests {

    private static final Duration SHORT = Duration.ofMillis(200);

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    private JavaProcess start() {
        return JavaProcess.builder(Echo.class).onLine(lines::add).start();
    }

    @Test
    void exchangesLines() {
        try (JavaProcess process = start()) {
            process.send("one");
            process.send("two");

            process.awaitLine("echo two"::equals);

            assertThat(lines).containsExactly("echo one", "echo two");
        }
    }

    /** The process is dead before the test reads most of its output, which is larger than the reader's buffer. */
    @Test
    void readsAllOutputOfAKilledProcess(@TempDir Path folder) {
        Path written = folder.resolve("written");
        try (JavaProcess process = JavaProcess.builder(Echo.class)
                .arguments(written.toString())
                .onLine(this::addAfterExit)
                .start()) {
            process.send("flood");
            await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(written));

            process.kill();

            assertThat(lines).hasSize(1 + Echo.FLOOD);
        }
    }

    /** The first line is the id of the process. */
    private void addAfterExit(String line) {
        if (lines.isEmpty()) {
            ProcessHandle.of(Long.parseLong(line))
                    .ifPresent(process -> process.onExit().join());
        }
        lines.add(line);
    }

    @Test
    void reportsStandardErrorIfTheProcessExitsInsteadOfPrintingTheLine() {
        try (JavaProcess process = start()) {
            process.send("exit");

            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> process.awaitLine("echo exit"::equals))
                    .withMessageContaining("has exited with code 3")
                    .withMessageContaining("leaving");
        }
    }

    @Test
    void boundsWaitsAndReportsOutput() {
        try (JavaProcess process = JavaProcess.builder(Echo.class).start()) {
            process.send("one");
            process.awaitLine("echo one"::equals);

            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> process.awaitExit(SHORT))
                    .withMessageContaining("is running")
                    .withMessageContaining("echo one");
        }
    }

    @Test
    void killsFrozenProcessAndItsChildrenOnClose() {
        ProcessHandle child;
        try (JavaProcess process = start()) {
            process.send("fork");
            process.awaitUntil(() -> !lines.isEmpty());
            child = ProcessHandle.of(Long.parseLong(lines.get(0))).orElseThrow();
            process.signal(Signal.STOP);
        }

        await().atMost(Duration.ofSeconds(10)).until(() -> !child.isAlive());
    }

    /** Runs in the process. */
    static final class Echo {

        /** In lines of two bytes; fits into a pipe. */
        static final int FLOOD = 10_000;

        private Echo() {}

        public static void main(String[] arguments) throws IOException {
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                switch (line) {
                    case "exit" -> {
                        System.err.println("leaving");
                        System.exit(3);
                    }
                    case "flood" -> {
                        System.out.print(ProcessHandle.current().pid() + "\n" + "1\n".repeat(FLOOD));
                        System.out.flush();
                        Files.createFile(Path.of(arguments[0]));
                    }
                    case "fork" ->
                        System.out.println(
                                new ProcessBuilder("sleep", "600").start().pid());
                    default -> System.out.println("echo " + line);
                }
            }
        }
    }
}
