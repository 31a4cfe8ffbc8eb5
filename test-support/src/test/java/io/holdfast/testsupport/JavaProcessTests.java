package io.holdfast.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JavaProcessTests {

    private static final Duration SHORT = Duration.ofMillis(200);

    private final List<String> lines = new CopyOnWriteArrayList<>();

    private JavaProcess start(String... arguments) {
        return JavaProcess.builder(Echo.class)
                .arguments(arguments)
                .onLine(lines::add)
                .start();
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

    @Test
    void readsAllOutputOfAKilledProcess() {
        try (JavaProcess process = start()) {
            process.send("flood");
            process.awaitLine("1"::equals);

            process.kill();

            assertThat(lines).hasSizeGreaterThanOrEqualTo(Echo.FLOOD);
        }
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

        static final int FLOOD = 1_000;

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
                        System.out.print("1\n".repeat(FLOOD));
                        System.out.flush();
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
