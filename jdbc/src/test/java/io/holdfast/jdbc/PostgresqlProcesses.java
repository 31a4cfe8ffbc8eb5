package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The processes of a running server: the postmaster and those that it has started for its connections. */
record PostgresqlProcesses(Path data, ProcessHandle first) {

    static PostgresqlProcesses of(EmbeddedPostgres server) {
        Path data = Path.of(PostgresqlServers.queryValue(server, "show data_directory"));
        try {
            String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
            return new PostgresqlProcesses(
                    data, ProcessHandle.of(Long.parseLong(pid)).orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Freezes them with all connections open. */
    void freeze() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        Stream.concat(Stream.of(first), first.descendants())
                .map(process -> Long.toString(process.pid()))
                .forEach(command::add);
        try {
            Process kill = new ProcessBuilder(command).start();
            assertThat(kill.waitFor(60, TimeUnit.SECONDS))
                    .as("%s ends", command)
                    .isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
