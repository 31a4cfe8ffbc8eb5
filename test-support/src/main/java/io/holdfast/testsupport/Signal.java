package io.holdfast.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A POSIX signal. */
public enum Signal {
    KILL,
    TERM,
    STOP,
    CONT;

    private static final int TIMEOUT_SECONDS = 60;

    /**
     * Sends this signal with the {@code kill} command. Unlike {@link Process#destroyForcibly}, it leaves the output of
     * the process readable.
     *
     * @return the exit code of the command, which is not 0 if one of the processes has exited
     */
    int send(List<Long> pids) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name()));
        pids.forEach(pid -> command.add(pid.toString()));
        try {
            Process kill = new ProcessBuilder(command).start();
            assertThat(kill.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .as("%s exits", command)
                    .isTrue();
            return kill.exitValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Returns the exit code of a JVM that this signal has ended. */
    int exitCode() {
        return switch (this) {
            case KILL -> 128 + 9;
            case TERM -> 128 + 15;
            case STOP, CONT -> throw new IllegalArgumentException(this + " does not end a process");
        };
    }
}
